import { createHash, type Hash } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import pg from 'pg';
import { receivingPath } from '../../../server/http/receiving-folder';
import type { Cluster } from '../../../server/testing/cluster/cluster';

const POLL_MS = 250;
const DAY_MS = 86_400_000;

interface ListedTask {
  readonly id: string;
  readonly status: string;
  readonly kind?: string;
}

const list = async (origin: string): Promise<readonly ListedTask[]> => {
  const response = await fetch(`${origin}/v1/task/list`);
  if (!response.ok) throw new Error(`The list was answered with ${response.status}.`);
  return (await response.json()) as readonly ListedTask[];
};

const hasEnded = ({ status }: ListedTask): boolean => status !== 'queued' && status !== 'processing';

/** Waits until all tasks have ended. @returns all tasks */
export const whenAllEnded = async (origin: string, limitMs: number): Promise<readonly ListedTask[]> => {
  for (const endMs = performance.now() + limitMs; performance.now() < endMs; await sleep(POLL_MS)) {
    const tasks = await list(origin);
    if (tasks.every(hasEnded)) return tasks;
  }
  const left = (await list(origin)).filter((task) => !hasEnded(task));
  throw new Error(`${left.length} tasks have not ended: ${JSON.stringify(left.slice(0, 3))}`);
};

/** Adds times and bytes of all packets of a video. The file also contains the time of its creation. */
const addPackets = async (hash: Hash, bytes: Uint8Array): Promise<void> => {
  using input = new Input({ source: new BufferSource(bytes), formats: [MP4] });
  for (const track of await input.getTracks()) {
    for await (const { data, timestamp, duration } of new EncodedPacketSink(track).packets()) {
      hash.update(`${track.type} ${timestamp} ${duration}`).update(data);
    }
  }
};

/** SHA-256 of a result: of an image's file, or of a video's packets. */
export const hashOfResult = async (origin: string, id: string, isVideo = false): Promise<string> => {
  const response = await fetch(`${origin}/v1/file/${id}/${isVideo ? 'video/' : ''}anonymised`);
  if (!response.ok) return `${response.status} ${await response.text()}`;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const hash = createHash('sha256');
  if (isVideo) await addPackets(hash, bytes);
  else hash.update(bytes);
  return hash.digest('hex');
};

/** Lets everything that is swept after minutes, hours or a day be due now, and waits until it is swept. */
const sweepAll = async ({ database, files, apis }: Cluster): Promise<void> => {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const isDue = async (): Promise<boolean> => {
    const { rows } = await client.query<{ due: number }>(
      `SELECT (SELECT count(*) FROM attempts WHERE next_sweep_at <= now()) + (SELECT count(*) FROM files_in_doubt) AS due`,
    );
    return Number(rows[0]?.due) > 0;
  };
  try {
    await client.query('UPDATE attempts SET next_sweep_at = now() WHERE next_sweep_at IS NOT NULL');
    await client.query(`UPDATE files_in_doubt SET since = now() - interval '2 days'`);
    while (await isDue()) await sleep(POLL_MS);
  } finally {
    await client.end();
  }
  const receiving = receivingPath({ input: join(files, 'input') });
  const old = new Date(Date.now() - 2 * DAY_MS);
  for (const path of readdirSync(receiving, { recursive: true, encoding: 'utf8' })) {
    utimesSync(join(receiving, path), old, old);
  }
  const [api] = apis;
  await api?.kill();
  api?.start();
  await api?.answers('/readyz');
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));

/** Files that belong to no result and to no upload, after everything is swept. */
export const findStrayFiles = async (cluster: Cluster): Promise<readonly string[]> => {
  await sweepAll(cluster);
  const client = new pg.Client({ connectionString: cluster.database });
  await client.connect();
  const { rows } = await client.query<{ id: string; folders: string[] }>('SELECT id, folders FROM tasks');
  await client.end();
  const results = new Set(rows.flatMap(({ id, folders }) => folders.map((folder) => `${id}/${folder}`)));
  const ids = new Set(rows.map(({ id }) => id));
  const stray = (path: string): boolean => /(^|\/)\.[^/]*\.part$/.test(path);
  return [
    ...filesBelow(join(cluster.files, 'output')).filter(
      (path) => stray(path) || !results.has(path.split('/').slice(0, 2).join('/')),
    ),
    ...filesBelow(join(cluster.files, 'input')).filter((path) => !ids.has(path.split(/[/.]/)[0] ?? '')),
  ];
};
