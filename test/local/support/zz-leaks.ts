import { startWorld } from "./world.ts";
import { chance } from "./chance.ts";
import { startEchoGateway, PLACES, WRITINGS } from "./echo-gateway.ts";
import { findLeaks } from "./leaks.ts";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const AWKWARD = `%"<>&'\\/+=?#;:,!()[]{}|~^@$* `;
const LATIN_1 = Array.from({ length: 0x60 }, (_, n) => String.fromCharCode(0xa0 + n)).join("");
const of = chance("x");
const text=(al:string,n:number)=>Array.from({length:n},()=>of.pick([...al])).join("");
const shapes:any = { latin:()=>`k${text(LETTERS+LATIN_1,30)}k`, awk:()=>`k%"<${text(LETTERS+AWKWARD,30)}>"%k`, sk:()=>`sk-${text(LETTERS,48)}`, long:()=>text(`${LETTERS}-_.~+/=`,200), twelve:()=>text(LETTERS,12), hex:()=>text("0123456789abcdef",32), uuid:()=>[8,4,4,4,12].map(n=>text("0123456789abcdef",n)).join("-"), parts:()=>`sk-proj-${text(LETTERS,20)}_${text(`${LETTERS}-_`,30)}` };
for (const name of process.argv.slice(2)) {
  const gw = await startEchoGateway();
  const cells = Object.keys(PLACES).flatMap(p=>Object.keys(WRITINGS).map(w=>({p,w}))).map((c,n)=>({...c,id:`g-${n}`,key:shapes[name]()}));
  const world = await startWorld({ secrets: Object.fromEntries(cells.map(c=>[`K_${c.id.slice(2)}`,c.key])), gateways: cells.map(c=>({id:c.id, baseUrl: gw.baseUrl(c.p,c.w), apiKey:`K_${c.id.slice(2)}`})) });
  await world.tick(world.startMs); await world.publish();
  const st = (await world.get("/api/v1/status")).json;
  const by:Record<string,string[]>={}; let ex:any={};
  for (const c of cells) { const g = st.gateways.find((g:any)=>g.id===c.id); const d=g.monitors[0].diagnosis; const l = findLeaks([{name:c.id, bytes:Buffer.from(JSON.stringify(d))}],[c.key]); if (l.length) { (by[c.w]??=[]).push(c.p); ex[c.w]=[c.key, d.message, d.requestId, d.errorCode, d.errorType, l[0].seen]; } }
  console.log(name, JSON.stringify(by,null,0)); for (const [w,e] of Object.entries(ex)) console.log("   ", w, JSON.stringify(e));
  if (name==="latin") console.log(JSON.stringify(cells[0].key), JSON.stringify(gw.keys.slice(0,3)));
  await world.stop(); await gw.stop();
}
