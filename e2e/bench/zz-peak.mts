import { openEngine } from '/work/main/models/eval/open-engine';
import { jobOptions } from '/work/main/e2e/bench/job';
import { makePicture } from '/work/main/e2e/bench/pictures';
const classes = process.argv[2].split(',') as any; const [w,h]=(process.argv[3]??'1280x720').split('x').map(Number);
const bytes = await makePicture(w,h);
const engine = await openEngine();
await engine.load(classes, ()=>{});
const loaded=process.resourceUsage().maxRSS/1024|0;
const t=[];
for (let i=0;i<5;i++){const t0=performance.now();const r=await engine.anonymiseImage({...jobOptions(classes),bytes},()=>{},new AbortController().signal);t.push(Math.round(performance.now()-t0));if(i==4)console.log(r.report? JSON.stringify(r.timings):'');}
console.log(classes.join(), 'loaded',loaded,'peak',process.resourceUsage().maxRSS/1024|0,'ms',t.join());
