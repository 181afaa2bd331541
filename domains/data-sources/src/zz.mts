import { writeAnswer } from "/work/main/domains/data-sources/src/asking/write-answer.ts";
const lorem = "Refunds are paid within five working days after the returned goods have arrived, to the account that was charged. ";
function hits(n:number, uni:string){ return Array.from({length:n},(_, i)=>({id:"a3f0c1d2-"+i, title:"How refunds work, part "+i, metadata:{ body:uni+lorem.repeat(2).slice(0,220), category:"billing", lang:"en", updated:"2026-01-0"+(i%9+1)+"T10:00:00Z", pages:i*3, _score:0.812345-i/100, _target:"articles"}}));}
function time(f:()=>unknown, n=4000){ const t=process.hrtime.bigint(); for(let i=0;i<n;i++) f(); return Number(process.hrtime.bigint()-t)/1000/n; }
for (const uni of ["", "Rückerstattung: ", "日本 “Rück” – "]) { const hs=hits(10,uni);
 const r:Record<string,number[]>={j:[],y:[]};
 for(let k=0;k<25;k++){ r.j.push(time(()=>JSON.stringify({count:10,results:hs}))); r.y.push(time(()=>writeAnswer(hs,"yaml"))); }
 const med=(a:number[])=>a.toSorted((x,y)=>x-y)[a.length>>1]!; const min=(a:number[])=>Math.min(...a);
 console.log(JSON.stringify(uni), writeAnswer(hs,"yaml").length, "json", med(r.j).toFixed(1), "yaml", med(r.y).toFixed(1), "ratio", (med(r.y)/med(r.j)).toFixed(2), "min ratio", (min(r.y)/min(r.j)).toFixed(2));
}
console.log(writeAnswer(hits(1,""),"yaml"));
