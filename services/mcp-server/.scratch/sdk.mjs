import { createMcpHandler, Server, McpServer, isLegacyRequest } from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { z } from "zod";
const answer = { count: 10, results: Array.from({length:10},(_, n)=>({id:String(n), title:"Page "+n, metadata:{body:"A sentence of the handbook. ".repeat(12), team:"team 3", year:2003, _score:0.123456, _target:"notes"}})) };
const text = JSON.stringify(answer);
class NoValidator { getValidator(){ return (v)=>({valid:true,data:v}); } }
const shared = new NoValidator();
const make = (v) => () => {
  const s = new Server({name:"svc",version:"1"},{capabilities:{tools:{}}, ...(v && {jsonSchemaValidator: shared})});
  s.setRequestHandler("tools/list", ()=>({tools:[]}));
  s.setRequestHandler("tools/call", async ()=>({content:[{type:"text",text}], structuredContent: JSON.parse(text)}));
  return s;
};
const modernBody = { jsonrpc:"2.0", id:1, method:"tools/call", params:{ name:"data_source_query", arguments:{source_id:"db_notes", query:"question", top_k:10}, _meta:{ "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{name:"bench",version:"1"},"io.modelcontextprotocol/clientCapabilities":{} } } };
const legacyBody = { jsonrpc:"2.0", id:1, method:"tools/call", params:{ name:"data_source_query", arguments:{source_id:"db_notes", query:"question", top_k:10} } };
const headers = (b) => b===modernBody ? {"content-type":"application/json",accept:"application/json, text/event-stream","mcp-protocol-version":"2026-07-28","mcp-method":"tools/call","mcp-name":"data_source_query", host:"x", authorization:"Bearer "+"x".repeat(500)} : {"content-type":"application/json",accept:"application/json, text/event-stream","mcp-protocol-version":"2025-06-18",host:"x", authorization:"Bearer "+"x".repeat(500)};
async function time(name, f, n=4000) {
  for (let i=0;i<2000;i++) await f();
  const c = process.cpuUsage(); const t=performance.now();
  for (let i=0;i<n;i++) await f();
  const u = process.cpuUsage(c);
  console.log(name.padEnd(50), ((u.user+u.system)/n).toFixed(0).padStart(6), "µs cpu", ((performance.now()-t)*1000/n).toFixed(0).padStart(6), "µs wall");
}
const h1 = createMcpHandler(make(false)), h2 = createMcpHandler(make(true));
const call = (h, b, parsed) => async () => {
  const r = new Request("http://x/platform",{method:"POST",headers:headers(b),body:JSON.stringify(b)});
  const res = await h.fetch(r, parsed?{parsedBody:JSON.parse(JSON.stringify(b))}:{});
  const t = await res.text();
  if (res.status!==200 || t.length<5000) throw new Error(res.status+t);
};
class LightHeaders { constructor(h){this.h=h;} get(n){ return this.h[n.toLowerCase()] ?? null; } }
const signal = new AbortController().signal;
const light = (h, b) => async () => {
  const r = { method:"POST", url:"http://x/platform", headers:new LightHeaders(headers(b)), signal: undefined };
  const res = await h.fetch(r, {parsedBody:JSON.parse(JSON.stringify(b))});
  const t = await res.text();
  if (res.status!==200 || t.length<5000) throw new Error(res.status+t);
};
await time("parse+stringify answer", async()=>JSON.stringify({content:[{type:"text",text}],structuredContent:JSON.parse(text)}));
await time("make server (ajv)", async()=>make(false)());
await time("make server (shared validator)", async()=>make(true)());
await time("new Request + json", async()=>{const r=new Request("http://x/platform",{method:"POST",headers:headers(modernBody),body:JSON.stringify(modernBody)}); await r.json()});
await time("Response.json + text", async()=>{ await Response.json({content:[{type:"text",text}],structuredContent:answer}).text()});
await time("modern, ajv, real Request", call(h1, modernBody, false));
await time("modern, shared, real Request", call(h2, modernBody, false));
await time("modern, shared, real Request, parsedBody", call(h2, modernBody, true));
await time("modern, shared, light Request, parsedBody", light(h2, modernBody));
await time("legacy, shared, real Request", call(h2, legacyBody, false));
await time("legacy, shared, light Request", light(h2, legacyBody));
