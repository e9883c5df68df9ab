/**
 * `npm run bench:files`: a large file through the storage port on S3, in both directions. A measurement, not a test: it
 * never fails. The S3 server is a process of its own, so that the memory of the client alone is measured.
 *
 * Usage: `npm run bench:files -- <MiB>` (2048)
 */
import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createS3Storage } from '../../server/adapters/s3/s3-storage';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { startS3Server, TEST_BUCKET, TEST_CREDENTIALS } from '../../server/testing/s3-server';
import { head, machine, row } from './markdown';

const MIB = 1024 * 1024;
const KEY = 'input/bench/source.mp4';
const SERVER = 'server';

/** Runs the S3 server until the other process ends it. */
const serve = async (): Promise<void> => {
  const server = await startS3Server();
  process.send?.(server.endpoint);
  await once(process, 'disconnect');
  await server.close();
};

/** Writes a file that cannot be compressed. */
const writeSource = async (path: string, mebibytes: number): Promise<void> => {
  const piece = randomBytes(MIB);
  const file = await open(path, 'wx');
  for (let at = 0; at < mebibytes; at++) await file.write(piece);
  await file.close();
};

interface Measured {
  readonly seconds: number;
  readonly peakMib: number;
}

/** Measures time, and the largest resident memory meanwhile. */
const measure = async (work: () => Promise<void>): Promise<Measured> => {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const startMs = performance.now();
  await work();
  clearInterval(timer);
  return { seconds: (performance.now() - startMs) / 1000, peakMib: peak / MIB };
};

const run = async (mebibytes: number): Promise<void> => {
  Object.assign(process.env, TEST_CREDENTIALS);
  const child = fork(fileURLToPath(import.meta.url), [SERVER], { execArgv: ['--import', 'tsx'] });
  const [endpoint] = (await once(child, 'message')) as [string];
  const folder = mkdtempSync(join(tmpdir(), 'veil-bench-'));
  const location = { bucket: TEST_BUCKET, prefix: '', endpoint, region: undefined };
  const storage = createS3Storage(location, { newPath: () => join(folder, randomUUID()) });
  try {
    const source = join(folder, 'source');
    await writeSource(source, mebibytes);
    await storage.write('input/bench/warm-up', new Uint8Array(1));
    const before = process.memoryUsage.rss() / MIB;
    const written = await measure(() => storage.writeFile(KEY, source));
    const read = await measure(async () => {
      let bytes = 0;
      const file = await storage.open(KEY);
      for await (const piece of file?.read(0, file.sizeBytes) ?? []) bytes += piece.byteLength;
      if (bytes !== mebibytes * MIB) throw new Error('The file is not complete.');
    });
    console.log(`${machine()}; ${mebibytes} MiB; ${before.toFixed(0)} MiB of memory before\n`);
    console.log(head(['Direction', 's', 'MiB/s', 'peak memory, MiB']));
    for (const [name, { seconds, peakMib }] of [
      ['to S3', written],
      ['from S3', read],
    ] as const) {
      console.log(row([name, seconds.toFixed(1), (mebibytes / seconds).toFixed(0), peakMib.toFixed(0)]));
    }
  } finally {
    await storage.close();
    child.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
};

endWhenOutputCloses();
if (process.argv[2] === SERVER) await serve();
else await run(Number(process.argv[2] ?? 2048));
