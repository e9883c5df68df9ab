import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import type { Raster } from '#shared/domain/raster';
import type { FramePlan, TimeRange, FrameReport } from '#shared/domain/plan';
import { anonymiseVideo } from '#shared/engine/anonymise-video';
import { joinSegments, type SegmentFrames } from '#shared/engine/segments/join-segments';
import { planSegments, SEGMENT_LIMITS } from '#shared/engine/segments/plan-segments';
import { renderVideo } from '#shared/engine/video/render-video';
import { surveyVideo } from '#shared/engine/engine';
import { colourCenterNet, FAKE_MANIFEST, fakeSessions, maskNet } from '#shared/testing/fake-models';
import { createFakeSystem } from '#shared/testing/fake-system';
import { createRaster, pixelAt } from '#shared/testing/rasters';
import { encodeClip, framesOf, memoryTarget, sourceOf, testedCodec } from '../testing/clips';

const SIZE = { width: 192, height: 128 };
const FRAMES = 70;
const FRAME_S = 0.04;
/** A red car that moves to the right. */
const scene = (index: number): Raster =>
  createRaster(SIZE.width, SIZE.height, (x, y) =>
    x >= 10 + index && x < 50 + index && y >= 20 && y < 60 ? [250, 0, 0] : [90, 90, 90],
  );
/** Unevenly spaced, as those of a phone. */
const timeOf = (index: number): number => (index + (index % 3 === 1 ? 0.3 : 0)) * FRAME_S;

const OUTPUT = {
  options: defaultImageOptions({ method: 'blacken', classes: ['vehicle'], bbox: true }),
  keepBitRate: false,
  audio: 'keep',
  limits: LIMITS,
} as const;
const never = (): AbortSignal => new AbortController().signal;
const ports = () => ({
  sessions: fakeSessions({ objects: colourCenterNet(0.8), selfie: maskNet('green'), pose: maskNet('green') }),
  manifest: FAKE_MANIFEST,
  system: createFakeSystem(),
  videoCodec: testedCodec,
});

let source: Uint8Array;
afterAll(() => void vi.useRealTimers());
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] }); // results contain the second in which they were written
  source = await encodeClip({
    frames: Array.from({ length: FRAMES }, (_, index) => [timeOf(index), scene(index)]),
    audio: [Array.from({ length: 20 }, (_, index) => new Uint8Array(30).fill(index))],
  });
});

/** @param analysis undefined: the whole video is anonymised */
const run = async (analysis?: TimeRange) => {
  const target = memoryTarget();
  const reports: FrameReport[] = [];
  const plans: FramePlan[] = [];
  const result = await anonymiseVideo(
    [
      { ...videoOptions(), ...OUTPUT, framesPerReport: 6, keepsPlans: true, ...(analysis && { analysis }) },
      {
        source: sourceOf(source),
        target,
        report: async (some, somePlans) => {
          reports.push(...some);
          plans.push(...(JSON.parse(JSON.stringify(somePlans)) as FramePlan[]));
        },
      },
      () => undefined,
      never(),
    ],
    ports(),
  );
  return { result, bytes: target.bytes(), reports, plans };
};

const survey = async () => (await surveyVideo(LIMITS, { source: sourceOf(source) }, testedCodec, never()))!;

/** Analyses in segments, joins them and renders the video. */
const runInSegments = async (coreUs: number) => {
  const limits = { ...SEGMENT_LIMITS, maxWholeUs: 0, coreUs, minLastUs: 400_000, marginUs: 600_000 };
  const segments = planSegments((await survey()).endUs, limits)!;
  const read = async (number: number): Promise<SegmentFrames> => run(segments[number]!.analysed);
  const reports: FrameReport[] = [];
  const plans: FramePlan[] = [];
  for await (const { report, plan } of joinSegments(segments, read, 400_000)) {
    reports.push(report);
    plans.push(plan);
  }
  const target = memoryTarget();
  const result = await renderVideo(
    [
      { ...OUTPUT, edits: {} },
      { source: sourceOf(source), target, plans: async (part) => (part === 0 ? plans : undefined) },
      () => undefined,
      never(),
    ],
    ports(),
  );
  return { segments: segments.length, result, bytes: target.bytes(), reports, plans };
};

const audioOf = async (bytes: Uint8Array): Promise<(readonly [number, string])[]> => {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const packets: (readonly [number, string])[] = [];
  for (const track of await input.getAudioTracks()) {
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
      packets.push([timestamp, Buffer.from(data).toString('base64')]);
    }
  }
  return packets;
};

const withoutTimes = (frames: readonly FrameReport[]) => frames.map((frame) => ({ ...frame, durationS: 0 }));

describe('analysis of a part of a video', () => {
  it('gives the frames of this part at their own times, and writes nothing', async () => {
    const whole = await run();
    const range = { fromUs: whole.plans[20]!.timestampUs, untilUs: whole.plans[31]!.timestampUs };
    const part = await run(range);
    expect(part.bytes).toHaveLength(0);
    expect(part.plans.map(({ timestampUs }) => timestampUs)).toEqual(
      whole.plans.slice(20, 31).map(({ timestampUs }) => timestampUs),
    );
    expect(part.plans.map(({ index }) => index)).toEqual(part.plans.map((_, index) => index));
    expect(part.result).toMatchObject({ frameCount: 11, lostFrames: 0 });
  });

  it('behind the end gives no frames', async () => {
    expect((await run({ fromUs: 60e6, untilUs: 70e6 })).plans).toEqual([]);
  });
});

it('a survey gives the number and the end of the frames', async () => {
  const { frameCount, endUs } = await survey();
  expect(frameCount).toBe(FRAMES);
  expect(endUs).toBeGreaterThan(timeOf(FRAMES - 1) * 1e6);
  expect(endUs).toBeLessThan(timeOf(FRAMES + 1) * 1e6);
});

describe('a video that is analysed in segments', () => {
  it('is the same file, with the same reports, if there is one segment', { tags: ['slow'] }, async () => {
    const [whole, joined] = [await run(), await runInSegments(60e6)];
    expect(joined.segments).toBe(1);
    expect(joined.bytes).toEqual(whole.bytes);
    expect(withoutTimes(joined.reports)).toEqual(withoutTimes(whole.reports));
    expect(joined.plans).toEqual(whole.plans);
  });

  it('has the same frames, times, audio and tracks, and shows nothing that one pass hides', async () => {
    const [whole, joined] = [await run(), await runInSegments(900_000)];
    expect(joined.segments).toBe(3);
    expect(joined.result.frameCount).toBe(whole.result.frameCount);
    expect(joined.plans.map(({ index, timestampUs }) => [index, timestampUs])).toEqual(
      whole.plans.map(({ index, timestampUs }) => [index, timestampUs]),
    );
    const [before, after] = [await framesOf(whole.bytes), await framesOf(joined.bytes)];
    expect(after.map(({ timestampUs }) => timestampUs)).toEqual(before.map(({ timestampUs }) => timestampUs));
    expect(await audioOf(joined.bytes)).toHaveLength(20);
    expect(await audioOf(joined.bytes)).toEqual(await audioOf(whole.bytes));
    const tracks = (frames: readonly FrameReport[]) =>
      new Set(frames.flatMap(({ detections }) => detections.map(({ trackId }) => trackId)));
    expect(tracks(joined.reports)).toEqual(tracks(whole.reports));
    for (const { raster } of after) {
      for (let x = 0; x < SIZE.width; x += 2) {
        const [red, green] = pixelAt(raster, x, 40);
        expect(red > 150 && green < 80).toBe(false);
      }
    }
  });
});
