import { expect, it } from 'vitest';
import { videoOptions } from '../catalogue/derive-parameters';
import { DEFAULT_BAG_OPTIONS } from '../domain/bag';
import { LIMITS } from '../domain/limits';
import type { Raster } from '../domain/raster';
import { defaultImageOptions, type ImageOptions } from '../domain/options';
import type { FramePlan, FrameReport } from '../domain/plan';
import { createBagCodec } from '../media/mcap/bag-codec';
import type { BagCodec } from '../ports/bag';
import type { ImageCodec } from '../ports/codec';
import type { VideoJob, VideoProgress } from '../ports/engine';
import { makeBag, type MadeMessage } from '../testing/bags';
import { rosMessage, ROS_SCHEMAS } from '../testing/ros-messages';
import { colourCenterNet, FAKE_MANIFEST, fakeSessions } from '../testing/fake-models';
import { createFakeSystem } from '../testing/fake-system';
import { createMemoryTarget, memorySource } from '../testing/memory-target';
import { anonymiseBag } from './anonymise-bag';

const SIZES = [
  { width: 96, height: 64 },
  { width: 64, height: 48 },
] as const;
const TOPICS = ['/front', '/rear'] as const;
const SECOND = 1_000_000_000n;
const FRAME_NS = 40_000_000n;
const FRAMES = 8;

/** A red car on grey, as rgb8; the one behind the second camera stands still. */
const image = (channel: 0 | 1, index: number): MadeMessage => {
  const { width, height } = SIZES[channel];
  const data = new Uint8Array(width * height * 3).fill(90);
  for (let y = 12; y < 36; y++) {
    for (let x = 10; x < 42; x++) data.set([250, 0, 0], (y * width + x + (channel ? 0 : index)) * 3);
  }
  const time = SECOND + BigInt(index) * FRAME_NS + BigInt(channel);
  const values = [{ time }, 'camera', height, width, 'rgb8', { byte: 0 }, width * 3, data] as const;
  return { channel, logTime: time, data: rosMessage('ros2', values) };
};

const IN_STEP = Array.from({ length: FRAMES }, (_, index) => [image(1, index), image(0, index)]);
const bagOf = (chunks: readonly (readonly MadeMessage[])[]): Promise<Uint8Array> =>
  makeBag({
    channels: TOPICS.map((topic) => ({ topic, encoding: 'cdr', schema: ROS_SCHEMAS.raw2 })),
    chunks,
    compression: 'lz4',
  });

const hasRed = ({ data }: Raster): boolean =>
  data.some((byte, at) => at % 4 === 0 && byte === 250 && data[at + 1] === 0);

const anonymise = async (
  changes: Partial<ImageOptions> = {},
  codec: Pick<BagCodec, 'open'> = createBagCodec(),
  chunks: readonly (readonly MadeMessage[])[] = IN_STEP,
) => {
  const source = await bagOf(chunks);
  const target = createMemoryTarget();
  const frames: FrameReport[] = [];
  const plans: FramePlan[] = [];
  const progress: VideoProgress[] = [];
  const job: VideoJob = {
    options: defaultImageOptions({ method: 'blacken', classes: ['vehicle'], bbox: true, ...changes }),
    ...videoOptions(),
    ...{ limits: LIMITS, framesPerReport: 5, keepsPlans: true, bag: DEFAULT_BAG_OPTIONS },
  };
  const result = await anonymiseBag(
    [
      job,
      {
        ...{ source: memorySource(source), target },
        report: async (some, ofPlans) => {
          frames.push(...some);
          plans.push(...ofPlans);
        },
      },
      (one) => progress.push(one),
      new AbortController().signal,
    ],
    {
      ...{ manifest: FAKE_MANIFEST, system: createFakeSystem(), bagCodec: codec, codec: {} as ImageCodec },
      sessions: fakeSessions({ objects: colourCenterNet(0.8) }),
    },
  );
  return { source, result, frames, plans, progress, bytes: target.bytes() };
};

/** All bytes of the messages of a bag. */
const messagesOf = async (bytes: Uint8Array): Promise<number[][]> => {
  const reader = await createBagCodec().open(
    memorySource(bytes),
    { options: DEFAULT_BAG_OPTIONS, limits: LIMITS, codec: {} as ImageCodec },
    new AbortController().signal,
  );
  const seen: number[][] = [];
  await reader.copy(
    undefined,
    async ({ topic, raster }) => {
      seen.push([topic, hasRed(raster) ? 1 : 0]);
    },
    new AbortController().signal,
  );
  return seen;
};

it('hides the objects of each topic in all of its frames', async () => {
  const { source, bytes } = await anonymise();
  const order = Array.from({ length: FRAMES }, () => [
    [1, 0],
    [0, 0],
  ]).flat();
  expect(await messagesOf(bytes)).toEqual(order);
  expect((await messagesOf(source)).every(([, isRed]) => isRed === 1)).toBe(true);
});

it('follows topics of different rates, with gaps and messages out of order, by their stamps', async () => {
  const front = [0, 2, 1, 3, 6, 7];
  const chunks = front.map((index) => [image(0, index), ...(index % 3 === 0 ? [image(1, index)] : [])]);
  const { bytes, frames } = await anonymise({}, undefined, chunks);
  expect(await messagesOf(bytes)).toEqual(
    chunks.flatMap((messages) => messages.map(({ channel }) => [channel, 0])),
  );
  const ofFront = frames.filter(({ topic }) => topic === TOPICS[0]);
  expect(ofFront.map(({ timestampUs }) => Math.round(timestampUs / 40_000))).toEqual(front);
  expect(new Set(ofFront.flatMap(({ detections }) => detections.map(({ trackId }) => trackId))).size).toBe(1);
});

it('reports frames in the order of the bag, with their topics, and one track for each object', async () => {
  const { frames, plans, progress, result } = await anonymise();
  expect(frames.map(({ index, topic }) => [index, topic])).toEqual(
    Array.from({ length: 2 * FRAMES }, (_, index) => [index, TOPICS[index % 2 === 0 ? 1 : 0]]),
  );
  expect(frames.map(({ timestampUs }) => Math.round(timestampUs)).slice(0, 4)).toEqual([
    0, 0, 40_000, 40_000,
  ]);
  const tracksOf = (topic: string) =>
    new Set(
      frames
        .filter((one) => one.topic === topic)
        .flatMap(({ detections }) => detections.map((one) => one.trackId)),
    );
  expect([...tracksOf('/front'), ...tracksOf('/rear')]).toHaveLength(2);
  expect(new Set([...tracksOf('/front'), ...tracksOf('/rear')]).size).toBe(2);
  expect(plans).toHaveLength(2 * FRAMES);
  const facts = { framesTotal: 16, pixels: 96 * 64 };
  expect([progress[0], progress.at(-1)]).toEqual([
    { framesDone: 0, ...facts },
    { framesDone: 16, ...facts },
  ]);
  expect(result).toMatchObject({ frameCount: 16, lostFrames: 0, width: 96, height: 64 });
  expect(result.bag?.topics.map(({ name, frames: count }) => [name, count])).toEqual([
    ['/front', FRAMES],
    ['/rear', FRAMES],
  ]);
});

it('writes nothing with `detect`', async () => {
  const { bytes, frames } = await anonymise({ method: 'detect' });
  expect([bytes.length, frames.length]).toEqual([0, 2 * FRAMES]);
});

it('fails as a whole where a frame cannot be searched', async () => {
  const broken: Pick<BagCodec, 'open'> = {
    open: async (...args) => {
      const bag = await createBagCodec().open(...args);
      return {
        ...bag,
        async *frames(topic, signal) {
          for await (const frame of bag.frames(topic, signal)) {
            if (frame.index === 3) throw new Error('cannot be decoded');
            yield frame;
          }
        },
      };
    },
  };
  await expect(anonymise({}, broken)).rejects.toThrow('cannot be decoded');
});
