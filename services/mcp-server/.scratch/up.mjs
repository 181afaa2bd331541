import http from "node:http"; import { fork } from "node:child_process"; import { createHmac, createSecretKey, randomUUID } from "node:crypto";
import { createRequire } from "node:module";
const answer = JSON.stringify({ count: 10, results: Array.from({length:10},(_, n)=>({id:String(n), title:"Page "+n, metadata:{body:"A sentence of the handbook. ".repeat(12), team:"team 3", year:2003, _score:0.123456, _target:"notes"}})) });
if (process.argv[2]==="server") {
  http.createServer((q,r)=>{ q.resume(); q.on("end",()=>{ r.writeHead(200,{"content-type":"application/json","content-length":Buffer.byteLength(answer)}); r.end(answer); }); }).listen(0,"127.0.0.1",function(){process.send(this.address().port)});
} else {
  const child = fork(process.argv[1],["server"]); const port = await new Promise(r=>child.once("message",r));
  const url = new URL(`http://127.0.0.1:${port}/api/wf/slim/data-sources/db_notes/query`);
  const body = JSON.stringify({query:"question number 3",top_k:10});
  const headers = {accept:"application/json","content-type":"application/json",authorization:"Bearer "+"x".repeat(450)};
  const agent = new http.Agent({keepAlive:true,maxSockets:64});
  const viaHttp = () => new Promise((res,rej)=>{ const q=http.request(url,{agent,method:"POST",headers:{...headers,"content-length":Buffer.byteLength(body)}},r=>{ const c=[]; r.on("data",d=>c.push(d)); r.on("end",()=>res(Buffer.concat(c).toString())); r.on("error",rej)}); q.on("error",rej); q.end(body); });
  const opts={host:"127.0.0.1",port,path:url.pathname,agent,method:"POST"};
  const viaHttp2 = () => new Promise((res,rej)=>{ const q=http.request({...opts,headers:{...headers,"content-length":Buffer.byteLength(body)}},r=>{ let t=""; r.setEncoding("utf8"); r.on("data",d=>t+=d); r.on("end",()=>res(t)); r.on("error",rej)}); q.on("error",rej); q.end(body); });
  const viaFetch = async () => { const r = await fetch(url,{method:"POST",headers,body,signal:AbortSignal.timeout(10000),redirect:"manual"}); return r.text(); };
  const viaFetch0 = async () => { const r = await fetch(url,{method:"POST",headers,body}); return r.text(); };
  async function time(name,f,n=4000,conc=8){ const run=async(n)=>{let i=0; await Promise.all(Array.from({length:conc},async()=>{while(i++<n) await f()}))}; await run(1500); const c=process.cpuUsage(); await run(n); const u=process.cpuUsage(c); console.log(name.padEnd(40),((u.user+u.system)/n).toFixed(0),"µs cpu"); }
  for (let k=0;k<2;k++){ await time("http(url)",viaHttp); await time("http(opts, utf8)",viaHttp2); await time("fetch+timeout",viaFetch); await time("fetch plain",viaFetch0);}
  child.kill();
  const require = createRequire("/work/main/platform/src/x.ts"); const { SignJWT, jwtVerify } = await import(require.resolve("jose"));
  const secret = Buffer.alloc(32,7); const key=createSecretKey(secret);
  const sign = (k)=>new SignJWT({org:"org_01h455vb4pex5vsknk084sn02q",client_id:"https://agent.example/client.json",grant_id:"grt_01h455vb4pex5vsknk084sn02q",scopes:["data:read","apps:read"]}).setProtectedHeader({alg:"HS256",typ:"svc-actor+jwt"}).setIssuer("mcp-server").setAudience("auth-service").setSubject("usr_01h455vb4pex5vsknk084sn02q").setJti(randomUUID()).setIssuedAt().setExpirationTime("60s").sign(k);
  const tok = await sign(secret);
  await time("jose sign raw",()=>sign(secret)); await time("jose sign KeyObject",()=>sign(key));
  await time("jose verify raw",()=>jwtVerify(tok,secret,{algorithms:["HS256"]})); await time("jose verify KeyObject",()=>jwtVerify(tok,key,{algorithms:["HS256"]}));
  const head=Buffer.from(JSON.stringify({alg:"HS256",typ:"svc-actor+jwt"})).toString("base64url");
  await time("hmac sign own",async()=>{const now=Math.floor(Date.now()/1000); const p=Buffer.from(JSON.stringify({org:"org_01h455vb4pex5vsknk084sn02q",client_id:"https://agent.example/client.json",grant_id:"grt_01h455vb4pex5vsknk084sn02q",scopes:["data:read","apps:read"],iss:"mcp-server",aud:"auth-service",sub:"usr_01h455vb4pex5vsknk084sn02q",jti:randomUUID(),iat:now,exp:now+60})).toString("base64url"); const i=head+"."+p; return i+"."+createHmac("sha256",key).update(i).digest("base64url"); });
}
