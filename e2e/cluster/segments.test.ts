import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonOf } from '#shared/testing/conformance';
import { filePart, get, uploadedId, waitForTask } from '#shared/testing/conformance-steps';
import { createRaster } from '#shared/testing/rasters';
import { encodeClip } from '../../server/testing/clips';
import { buildCluster, type ClusterProgram } from '../../server/testing/cluster/build-cluster';
import {
  type Cluster,
  findServices,
  SHORT_INTERVALS,
  startCluster,
} from '../../server/testing/cluster/cluster';
import { sendByHttp } from '../support/send';
import { writeTinySet } from '../support/tiny-set';

const FOLDER = mkdtempSync(join(tmpdir(), 'veil-segments-'));
const services = await findServices();

/** 200 seconds: three segments. */
const FRAMES = 800;
const FRAMES_PER_SECOND = 4;
/** Starting, killing and starting again under load. */
const LIMIT_MS = 180_000;

/** Unevenly spaced frames and an audio track. */
const longClip = (): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: FRAMES }, (_, index) => [
      (index + (index % 3 === 1 ? 0.3 : 0)) / FRAMES_PER_SECOND,
      createRaster(64, 48, (x) => [(x * 3 + index) % 256, 90, 90]),
    ]),
    audio: [Array.from({ length: 500 }, (_, index) => new Uint8Array(20).fill(index % 256))],
  });

const packetsOf = async (track: InputTrack): Promise<(readonly [ms: number, bytes: string])[]> => {
  const packets: (readonly [number, string])[] = [];
  for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) {
    packets.push([Math.round(timestamp * 1000), Buffer.from(data).toString('base64')]);
  }
  return packets;
};
/** Times of the frames, and the audio. */
const partsOf = async (bytes: Uint8Array) => {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const video = await packetsOf((await input.getPrimaryVideoTrack())!);
  const [audio] = await input.getAudioTracks();
  return { times: video.map(([ms]) => ms).sort((a, b) => a - b), audio: await packetsOf(audio!) };
};

/** Attempts of each segment, while there are any. */
const attemptsIn = async (database: string): Promise<readonly number[]> => {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    const { rows } = await client.query<{ attempts: number }>(
      'SELECT attempts FROM segments ORDER BY number',
    );
    return rows.map(({ attempts }) => attempts);
  } finally {
    await client.end();
  }
};
const untilStarted = async ({ database }: Cluster): Promise<void> => {
  while (!(await attemptsIn(database)).some((attempts) => attempts > 0)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

// The rules without processes, models and pixels: `server/cluster/segments.test.ts`.
describe.skipIf(!services)('a long video on two workers', { tags: ['slow'] }, () => {
  let program: ClusterProgram;
  let cluster: Cluster;
  beforeAll(async () => {
    const models = join(FOLDER, 'models');
    writeTinySet(models);
    program = await buildCluster(models);
    cluster = await startCluster({
      ...{ program, services: services!, workers: 0, intervals: SHORT_INTERVALS },
      apis: [[]],
    });
    const flags = ['--slots', '1', '--segments', 'on'];
    await Promise.all([cluster.addWorker(flags), cluster.addWorker(flags)]);
  }, LIMIT_MS);
  afterAll(async () => {
    await cluster?.stop();
    program?.remove();
    rmSync(FOLDER, { recursive: true, force: true });
  });

  it(
    'has all frames, times and audio of its source, although each worker is killed in it',
    async () => {
      const source = await longClip();
      const send = sendByHttp(cluster.apis[0]!.origin);
      const parts = [filePart(source, 'long.mp4', 'video/mp4')];
      const id = await uploadedId(send, { parts, query: 'face=true', isAsync: true });
      await untilStarted(cluster);
      for (const worker of cluster.workers) {
        await worker.kill();
        worker.start();
        await worker.answers('/readyz');
      }
      expect(await waitForTask(send, id)).toBe('done');
      expect(jsonOf(await get(send, `/v1/task/${id}`))).toMatchObject({
        frames_done: FRAMES,
        frames_lost: 0,
      });
      const metadata = jsonOf<readonly object[]>(await get(send, `/v1/file/${id}/video/metadata`));
      expect(metadata).toHaveLength(FRAMES);
      const { body } = await get(send, `/v1/file/${id}/video/anonymised`);
      expect(await partsOf(body)).toEqual(await partsOf(source));
      expect(await attemptsIn(cluster.database)).toEqual([]);
      for (const worker of cluster.workers) expect(worker.output()).not.toContain('processed as a whole');
    },
    LIMIT_MS,
  );
});
