/**
 * `npm run bench:networks -- [FILE.onnx …]`: time and memory of networks alone on both hosts, in turn: those of a user,
 * whose head and classes are recognised, and the default detector of persons and vehicles. If `FILE.json` lies next to a
 * file, its detections are compared, too (`networks/export_detr.py` makes both). A measurement, not a test.
 *
 * - `--rounds N`: number of rounds, each with new processes (3); `--host server` or `page`: one of them.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPack } from '../../models/packs/find-pack';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { readManifest } from '../../server/adapters/model-files';
import { head, machine, row } from './markdown';
import type { MeasuredNetwork, Network, Reference } from './networks/network-runs';
import { percentile, sorted } from './percentile';
import { runNetworkInPage, servePage } from './run-in-page';

endWhenOutputCloses();

const MODELS = join(import.meta.dirname, '../../models');
/** Inputs of the default detector in an image of 1024 × 768. */
const DEFAULT_SIZES = [
  [512, 512],
  [1024, 768],
] as const;

const defaultNetworks = async (): Promise<readonly Network[]> => {
  const { models } = await readManifest(MODELS);
  const entry = models.find((one) => one.head === 'centernet')!;
  return DEFAULT_SIZES.map(([width, height]) => ({
    name: entry.id,
    path: join(MODELS, entry.file),
    entry,
    width,
    height,
    reference: undefined,
  }));
};

const networkOf = async (path: string): Promise<Network> => {
  const [entry] = (await findPack(path)).pack.models;
  const [width, height] = entry?.input.size ?? [640, 640];
  const json = await readFile(path.replace(/\.onnx$/, '.json'), 'utf8').catch(() => undefined);
  const reference = json === undefined ? undefined : (JSON.parse(json) as Reference);
  return { name: basename(path), path, entry: entry!, width, height, reference };
};

const runOnServer = async (network: Network): Promise<MeasuredNetwork> => {
  const script = new URL('networks/run-on-server.ts', import.meta.url).pathname;
  const child = fork(script, { execArgv: ['--import', 'tsx'] });
  child.send(network);
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`ended with code ${code}`)));
  const [measured] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return measured as MeasuredNetwork;
};

const median = (values: readonly number[]): string => percentile(sorted(values), 0.5).toFixed(0);

const line = (
  { name, width, height }: Network,
  host: string,
  measured: readonly MeasuredNetwork[],
): string => {
  const differences = measured.flatMap(({ difference }) => difference ?? []);
  return row([
    name,
    `${width} × ${height}`,
    host,
    median(measured.flatMap(({ ms }) => ms)),
    median(measured.map(({ cpuMs }) => cpuMs)),
    median(measured.map(({ peakMiB }) => peakMiB)),
    differences.length > 0 ? Math.max(...differences).toExponential(1) : '',
  ]);
};

type Run = (network: Network) => Promise<MeasuredNetwork>;

const compare = async (networks: readonly Network[], host: string, rounds: number, run: Run) => {
  const measured = new Map<Network, MeasuredNetwork[]>(networks.map((one) => [one, []]));
  for (let round = 0; round < rounds; round++) {
    for (const network of networks) {
      const all = measured.get(network)!;
      all.push(await run(network));
      if (all.length === rounds) console.log(line(network, host, all));
    }
  }
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '3' }, host: { type: 'string' } },
  });
  const rounds = Number(values.rounds);
  const networks = [...(await defaultNetworks()), ...(await Promise.all(positionals.map(networkOf)))];
  console.log(`${machine()}\n`);
  console.log(head(['Network', 'Input', 'Host', 'ms', 'CPU ms', 'Peak MiB', 'Difference']));
  if (values.host !== 'page') await compare(networks, 'server', rounds, runOnServer);
  if (values.host === 'server') return;
  const page = await servePage(...networks.map(({ path }) => dirname(path)));
  const origin = page.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
  await compare(networks, 'page', rounds, (network) => runNetworkInPage(origin, network));
  await page.close();
};

await main();
