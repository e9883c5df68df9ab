/**
 * `npm run bench:scale`: cost and throughput of a cluster on this machine. A measurement, not a test: it never fails.
 *
 * Options: `--quick` (fewer images, uploads and tasks), `--only` (parts: throughput, models, uploads, waiting, list,
 * costs, start), `--workers 1,2,4` (numbers of workers), `--work <ms>` (how long the engine sleeps for an image),
 * `--images <folder>` (JPEGs for the models), `--compare <folder>` (another checkout with a built server, for the time
 * until a server is ready).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { PRODUCT_MODELS } from '../../server/testing/built-program';
import { buildCluster } from '../../server/testing/cluster/build-cluster';
import {
  findServices,
  startCluster,
  type Cluster,
  type ClusterOptions,
} from '../../server/testing/cluster/cluster';
import { fakeImage } from '../../server/testing/cluster/fake-images';
import { smallSample } from '../support/samples';
import { head, machine, row } from './markdown';
import { percentile, sorted } from './percentile';
import type { BenchImage } from './scale/client';
import { COUNTERS, COUNTING, measureCosts, type Costs } from './scale/costs';
import { measureClusterLists, measureEmbeddedLists, type Listing } from './scale/listing';
import { measureStarts, type StartTime, type StartTimes } from './scale/start-time';
import { openThroughputBench, type Throughput } from './scale/throughput';
import { measureLatencies, measureUploads } from './scale/uploads';
import { measureWaitingInCluster, measureWaitingInServer, type WaitingTimes } from './scale/waiting';

endWhenOutputCloses();

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    work: { type: 'string' },
    workers: { type: 'string' },
    images: { type: 'string' },
    compare: { type: 'string' },
  },
});

const LONG = {
  ...{ perWorker: 40, realPerWorker: 20, uploads: 5_000, tasks: 100_000, probes: 1_500, runs: 5 },
  costs: { images: 200, idleS: 30 },
};
const QUICK = {
  ...{ perWorker: 15, realPerWorker: 8, uploads: 500, tasks: 5_000, probes: 200, runs: 2 },
  costs: { images: 40, idleS: 15 },
};
const SIZE = values.quick ? QUICK : LONG;
const WORKERS = values.workers?.split(',').map(Number) ?? [1, 2, 4, 8, 16];
/**
 * As long as the models need for a photo on one core (0.7 s for 720p, 1.4 s for 12 megapixels). Two cores suffice for all
 * other work of 16 workers then.
 */
const FAKE_WORK_MS = Number(values.work ?? 1_000);
const WARM_UPLOADS = 200;
const SINGLE_UPLOADS = 300;
const SAMPLES = 6;
const MIB = 1024 * 1024;

const services = await findServices();
const program = await buildCluster(PRODUCT_MODELS);
process.once('exit', () => program.remove());

const withCluster = async (
  options: Pick<ClusterOptions, 'workers' | 'fakeWorkMs' | 'isDurable' | 'postgresSettings'>,
  work: (cluster: Cluster) => Promise<void>,
): Promise<void> => {
  if (!services) return;
  const cluster = await startCluster({ program, services, apis: [[]], ...options });
  try {
    await work(cluster);
  } finally {
    await cluster.stop();
  }
};

const printThroughput = (measured: Throughput, first: Throughput): void => {
  const { workers, images, seconds, staggerMs, cpuMs } = measured;
  const perSecond = images / seconds;
  const ratio = perSecond / (first.images / first.seconds);
  const share = ((100 * ratio) / workers).toFixed(1);
  const perImageMs = (1000 * workers * seconds) / images;
  console.log(
    row([
      ...[workers, images, seconds.toFixed(1), perSecond.toFixed(2), ratio.toFixed(2), `${share} %`],
      ...[perImageMs.toFixed(1), cpuMs.toFixed(1), staggerMs.toFixed(0)],
    ]),
  );
};

/** Adds workers to a cluster and measures each number of them. */
const measureWorkers = async (
  cluster: Cluster,
  { counts, perWorker }: { readonly counts: readonly number[]; readonly perWorker: number },
  imageOf: (index: number) => BenchImage,
  add: (index: number) => Promise<unknown>,
): Promise<void> => {
  const columns = ['Workers', 'Images', 's', 'Images/s', '× one', 'of ideal', 'ms per image and worker'];
  console.log(`\n${head([...columns, 'CPU ms per image', 'Last start after ms'])}`);
  const bench = await openThroughputBench(cluster);
  try {
    let first: Throughput | undefined;
    for (const count of counts) {
      while (cluster.workers.length < count) await add(cluster.workers.length);
      const measured = await bench.measure(perWorker, imageOf);
      printThroughput(measured, (first ??= measured));
    }
  } finally {
    await bench.close();
  }
};

const throughput = (): Promise<void> =>
  withCluster({ workers: 0, fakeWorkMs: FAKE_WORK_MS, isDurable: true }, async (cluster) => {
    console.log(`\nThe engine sleeps for ${FAKE_WORK_MS} ms per image`);
    const imageOf = (index: number): BenchImage => ({
      name: `${index}.jpg`,
      bytes: fakeImage(`image ${index}`),
    });
    const sizes = { counts: WORKERS, perWorker: SIZE.perWorker };
    await measureWorkers(cluster, sizes, imageOf, () => cluster.addWorker());
  });

const readImages = async (): Promise<readonly BenchImage[]> => {
  const folder = values.images;
  if (folder === undefined) {
    const samples = Array.from({ length: SAMPLES }, async (_, index) => ({
      name: `${index}.jpg`,
      bytes: await smallSample(1 + index),
    }));
    return Promise.all(samples);
  }
  return readdirSync(folder)
    .filter((name) => /\.jpe?g$/i.test(name))
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
};

const models = async (): Promise<void> => {
  const images = await readImages();
  await withCluster({ workers: 0, isDurable: true }, async (cluster) => {
    console.log('\nModels of the product, each worker on a core of its own');
    const imageOf = (index: number): BenchImage => images[index % images.length]!;
    const add = (core: number): Promise<unknown> => cluster.addWorker(['--slots', '1'], core);
    await measureWorkers(cluster, { counts: [1, 2], perWorker: SIZE.realPerWorker }, imageOf, add);
  });
};

const percentiles = (times: readonly number[]): string[] =>
  [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1));

const uploads = (): Promise<void> =>
  withCluster({ workers: 0, fakeWorkMs: 0, isDurable: true }, async (cluster) => {
    const columns = ['API processes', 'Uploads', 'Uploads/s', 'p50 ms', 'p99 ms', 'Longest ms'];
    console.log(`\nUploads by 16 clients\n\n${head(columns)}`);
    for (const api of [1, 2]) {
      if (api > 1) await cluster.addApi();
      const measured = await measureUploads(cluster, WARM_UPLOADS, SIZE.uploads - WARM_UPLOADS);
      const perSecond = (measured.uploads / measured.seconds).toFixed(0);
      console.log(row([api, measured.uploads, perSecond, ...percentiles(measured.times)]));
    }
    const limited = await cluster.addApi(['--max-queue', '1000000']);
    const answers = ['Request', 'Flags', 'Requests', 'p50 ms', 'p99 ms', 'Longest ms'];
    console.log(`\nOne by one, while ${2 * SIZE.uploads} tasks wait\n\n${head(answers)}`);
    for (const [flags, { origin }] of [
      ['', cluster.apis[0]!],
      ['--max-queue', limited],
    ] as const) {
      const { statusMs, uploadMs } = await measureLatencies(origin, SIZE.probes, SINGLE_UPLOADS);
      console.log(row(['GET /v1/status', flags, statusMs.length, ...percentiles(statusMs)]));
      console.log(row(['POST /v1/file', flags, uploadMs.length, ...percentiles(uploadMs)]));
    }
  });

const printListing = (host: string, { name, tasks, bytes, ms, longestMs, statusMs }: Listing): void => {
  const times = [(ms / 1000).toFixed(2), longestMs.toFixed(0), statusMs.toFixed(0)];
  console.log(row([host, name, tasks, (bytes / MIB).toFixed(1), ...times]));
};

const list = async (): Promise<void> => {
  const columns = [
    'Host',
    'Request',
    'Tasks',
    'MiB',
    's',
    'Longest answer ms',
    'Longest status ms meanwhile',
  ];
  console.log(`\nTask list\n\n${head(columns)}`);
  await withCluster({ workers: 1, fakeWorkMs: 0, isDurable: true }, async (cluster) => {
    for (const each of await measureClusterLists(cluster, SIZE.tasks)) printListing('cluster', each);
  });
  for (const each of await measureEmbeddedLists(program, SIZE.tasks)) printListing('server', each);
};

const start = async (): Promise<void> => {
  const folders = [program.root, ...(values.compare === undefined ? [] : [resolve(values.compare)])];
  const measured = await measureStarts(folders, SIZE.runs);
  console.log(
    `\nWithout a role: median and all runs\n\n${head(['Checkout', 'Until', 'ms', 'CPU ms', 'Runs, ms'])}`,
  );
  for (const [index, runs] of measured.entries()) {
    for (const [until, of] of [
      ['end of --version', ({ version }: StartTimes) => version],
      ['/readyz', ({ ready }: StartTimes) => ready],
    ] as const) {
      const times = runs.map(of);
      const median = (value: (time: StartTime) => number): string =>
        percentile(sorted(times.map(value)), 0.5).toFixed(0);
      const all = times.map(({ ms }) => ms.toFixed(0)).join(', ');
      const cells = [median(({ ms }) => ms), median(({ cpuMs }) => cpuMs), all];
      console.log(row([index === 0 ? 'this one' : 'compared', until, ...cells]));
    }
  }
};

const printWaiting = (host: string, { uploads: measured, pageMs, jobBytes }: WaitingTimes): void => {
  const print = (name: string, times: readonly number[], perSecond = ''): void => {
    const ms = [0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(1));
    console.log(row([host, name, times.length, perSecond, ...ms]));
  };
  for (const { parallel, perSecond, ms } of measured) {
    print(`POST /v1/file, ${parallel} clients`, ms, perSecond.toFixed(0));
  }
  print('GET /v1/task/list?limit=100', pageMs);
  if (jobBytes !== undefined) console.log(`\nA waiting job has ${jobBytes.toFixed(0)} bytes in the queue.\n`);
};

const waiting = async (): Promise<void> => {
  console.log(`\n${SIZE.tasks} tasks wait\n`);
  console.log(
    head(['Host', 'Request', 'Requests', 'Per second', 'p50 ms', 'p95 ms', 'p99 ms', 'Longest ms']),
  );
  await withCluster({ workers: 0, fakeWorkMs: 0, isDurable: true }, async (cluster) =>
    printWaiting('cluster', await measureWaitingInCluster(cluster, SIZE.tasks, SIZE.probes)),
  );
  printWaiting('server', await measureWaitingInServer(program, SIZE.tasks, SIZE.probes));
};

const costs = (): Promise<void> =>
  withCluster({ workers: 0, fakeWorkMs: 0, isDurable: true, postgresSettings: COUNTING }, async (cluster) => {
    const { rowBytes, files, connections, ...measured } = await measureCosts(cluster, SIZE.costs);
    const rows: Readonly<Record<keyof typeof measured, string>> = {
      upload: 'upload',
      processing: 'processing',
      workSecond: 'each second of longer work',
      api: 'a second of an API process without requests',
      worker: 'a second of a worker without work',
    };
    console.log(`\nCosts of shared services\n\n${head(['What', ...Object.values(COUNTERS)])}`);
    for (const [name, label] of Object.entries(rows)) {
      const counted: Costs = measured[name as keyof typeof measured];
      console.log(row([label, ...Object.values(counted).map((count) => count.toFixed(count < 100 ? 2 : 0))]));
    }
    console.log(`\nA done task has ${rowBytes.toFixed(0)} bytes of rows and ${files.toFixed(1)} files.`);
    const { database, queue } = connections;
    console.log(`A worker has ${database.toFixed(1)} connections to the database, ${queue} to the queue.`);
  });

const PARTS = { throughput, models, uploads, waiting, list, costs, start };
const only = values.only?.split(',') ?? Object.keys(PARTS);

console.log(machine());
for (const [name, run] of Object.entries(PARTS)) {
  if (!only.includes(name)) continue;
  const load = loadavg()[0]?.toFixed(1);
  await run().catch((error: unknown) => console.log(`failed: ${String(error)}`));
  console.log(`\nLoad of the machine before and after: ${load}, ${loadavg()[0]?.toFixed(1)}`);
}
process.exit();
