/**
 * `npm run bench:api`: cost of many parallel uploads, of deletions, and of very large uploads on the server. A
 * measurement, not a test: it never fails. Uses only the loopback interface; takes about five minutes.
 */
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { buildOutdated } from './build-outdated';
import { createServerProcess, type ServerProcess } from '../support/server-process';
import { measureLoad, type Load } from './api-load';
import { measureDeletions } from './deletion';
import { measureLargeUpload } from './large-upload';
import { head, machine, row } from './markdown';
import { percentile } from './percentile';

endWhenOutputCloses();

const heading = (...columns: readonly string[]): void => console.log(`\n${head(columns)}`);

const withServer = async (
  flags: readonly string[],
  work: (server: ServerProcess) => Promise<void>,
): Promise<void> => {
  const server = await createServerProcess(flags);
  try {
    server.start();
    await server.loaded();
    await work(server);
  } catch (error) {
    console.log(`failed: ${String(error)}`);
  } finally {
    await server.remove();
  }
};

const percentiles = (times: Load['uploadMs']): string[] =>
  [0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(1));

const printLoad = (load: Load): void => {
  const { uploads, lost, duplicated, done, overtakes, seconds, warmMiB, endMiB } = load;
  heading('Uploads', 'Lost', 'Duplicated', 'Done', 'Overtaken', 'Seconds');
  console.log(row([uploads, lost, duplicated, done, overtakes, seconds.toFixed(1)]));
  heading('Answers', 'p50 ms', 'p95 ms', 'p99 ms', 'Longest ms');
  console.log(row(['upload', ...percentiles(load.uploadMs)]));
  console.log(row([`status (${load.statusMs.length})`, ...percentiles(load.statusMs)]));
  heading('MiB after ten', 'MiB at the end', 'Growth');
  const growth = `${((endMiB / warmMiB - 1) * 100).toFixed(1)} %`;
  console.log(row([warmMiB.toFixed(0), endMiB.toFixed(0), growth]));
};

const LARGE = [
  ['2 GiB, refused by --max-upload 1GiB', ['--max-upload', '1GiB']],
  ['2 GiB, within --max-upload 3GiB', ['--max-upload', '3GiB']],
] as const;

buildOutdated();
console.log(machine());
await withServer(['--save-mask', 'all'], async (server) => printLoad(await measureLoad(server)));
heading('Deleted during processing', 'Answer ms', 'Next file starts after ms');
await withServer(['--workers', '1'], async (server) => {
  for (const [name, { answerMs, placeMs }] of Object.entries(await measureDeletions(server))) {
    console.log(row([name, answerMs.toFixed(0), placeMs.toFixed(0)]));
  }
});
heading('Upload', 'Status', 'MiB sent', 'Seconds', 'Growth in MiB', 'Answer');
for (const [name, flags] of LARGE) {
  await withServer(flags, async (server) => {
    const { status, sentMiB, seconds, growthMiB, answer } = await measureLargeUpload(server);
    console.log(row([name, status, sentMiB.toFixed(0), seconds.toFixed(1), growthMiB.toFixed(0), answer]));
  });
}
