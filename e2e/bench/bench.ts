/** `npm run bench`: time and memory of the engine by image size and host. A measurement, not a test: it never fails. */
import { fork } from 'node:child_process';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { CASES, type Case, type Measured } from './job';
import { head, machine, row } from './markdown';
import { runInPage, servePage } from './run-in-page';
import { measureStatusLatency } from './status-latency';

endWhenOutputCloses();

const runOnServer = (index: number): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const script = new URL('run-on-server.ts', import.meta.url).pathname;
    const child = fork(script, [String(index)], { execArgv: ['--import', 'tsx'] });
    child.once('message', (measured) => resolve(measured as Measured));
    child.once('exit', (code) => reject(new Error(`ended with code ${code}`)));
  });

const line = (
  { size, classes }: Case,
  host: string,
  { backend, timings, totalMs, peakMiB }: Measured,
): string => {
  const steps = Object.entries(timings).map(([step, ms]) => `${step} ${Math.round(ms)}`);
  const what = classes.length === 4 ? 'all four' : classes.join(', ');
  const peak = Number.isNaN(peakMiB) ? '–' : Math.round(peakMiB);
  return row([size.join(' × '), what, `${host}, ${backend}`, Math.round(totalMs), peak, steps.join(', ')]);
};

const print = async (one: Case, host: string, run: () => Promise<Measured>): Promise<void> => {
  const text = await run().then(
    (measured) => line(one, host, measured),
    (error: unknown) =>
      row([one.size.join(' × '), '', host, 'failed', '', String(error).split('\n')[0] ?? '']),
  );
  console.log(text);
};

const printStatusLatency = async (): Promise<void> => {
  const { p50Ms, p99Ms, maxMs, deletionMs, done } = await measureStatusLatency();
  const columns = ['While images of 1280 × 720 are processed', 'p50 ms', 'p99 ms', 'Longest ms'];
  console.log(`\n${head(columns)}`);
  console.log(row([`status (${done} done meanwhile)`, ...[p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1))]));
  console.log(row(['deletion of the image in process', deletionMs.toFixed(1), '', '']));
};

const main = async (): Promise<void> => {
  console.log(`${machine()}\n`);
  const columns = ['Image', 'Classes', 'Host', 'ms', 'Peak MiB', 'ms of each step'];
  console.log(head(columns));
  for (const [index, one] of CASES.entries()) await print(one, 'server', () => runOnServer(index));
  const page = await servePage();
  const origin = page.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
  for (const one of CASES) await print(one, 'page', () => runInPage(origin, one));
  await page.close();
  await printStatusLatency();
};

await main();
