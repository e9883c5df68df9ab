import { describe, expect, it } from 'vitest';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { LIMITS } from '#shared/domain/limits';
import { anonymiseVideo } from '#shared/engine/anonymise-video';
import type { Raster } from '#shared/domain/raster';
import type { Sessions } from '#shared/engine/inference/sessions';
import type { FrameReport } from '#shared/domain/plan';
import { defaultImageOptions } from '#shared/domain/options';
import type { VideoFiles, VideoJob, VideoProgress } from '#shared/ports/engine';
import {
  blueTextNet,
  colourCenterNet,
  FAKE_MANIFEST,
  fakeSessions,
  maskNet,
} from '#shared/testing/fake-models';
import { createFakeSystem } from '#shared/testing/fake-system';
import { createRaster, pixelAt } from '#shared/testing/rasters';
import {
  type MemoryTarget,
  encodeClip,
  framesOf,
  memoryTarget,
  sourceOf,
  testedCodec,
} from '../testing/clips';

const SIZE = { width: 256, height: 160 };
const FRAMES = 30;
const carAt = (index: number): number => 20 + index * 4;
/** A red car that moves to the right. */
const scene = (index: number): Raster =>
  createRaster(SIZE.width, SIZE.height, (x, y) =>
    x >= carAt(index) && x < carAt(index) + 60 && y >= 60 && y < 120 ? [250, 0, 0] : [90, 90, 90],
  );
const CLIP = encodeClip({
  frames: Array.from({ length: FRAMES }, (_, index) => [index * 0.04, scene(index)]),
});

const NETWORKS = {
  objects: colourCenterNet(0.8),
  text: blueTextNet(0.9),
  selfie: maskNet('green'),
  pose: maskNet('green'),
};
/** Detectors that miss the object, or fail, in some runs. @param at behaviour by the number of the run, from 0 */
const sessionsThat = (at: (run: number) => 'detect' | 'miss' | 'fail'): Sessions => {
  let runs = 0;
  return fakeSessions({
    ...NETWORKS,
    objects: (input) => {
      const behaviour = at(runs++);
      if (behaviour === 'fail') throw new Error('a fault of the detector');
      return colourCenterNet(behaviour === 'detect' ? 0.8 : 0.0)(input);
    },
  });
};

interface Run {
  readonly sessions?: Sessions;
  readonly job?: Partial<VideoJob>;
  readonly files?: Partial<VideoFiles>;
  readonly signal?: AbortSignal;
  readonly target?: MemoryTarget;
}

const run = async ({
  sessions = fakeSessions(NETWORKS),
  job = {},
  files = {},
  signal = new AbortController().signal,
  target = memoryTarget(),
}: Run = {}) => {
  const reports: (readonly FrameReport[])[] = [];
  const progress: VideoProgress[] = [];
  const result = await anonymiseVideo(
    [
      {
        options: defaultImageOptions({ method: 'blacken', classes: ['vehicle'], bbox: true }),
        ...videoOptions(),
        limits: LIMITS,
        framesPerReport: 12,
        ...job,
      },
      { source: sourceOf(await CLIP), target, report: async (some) => void reports.push(some), ...files },
      (each) => progress.push(each),
      signal,
    ],
    { sessions, manifest: FAKE_MANIFEST, system: createFakeSystem(), videoCodec: testedCodec },
  );
  return { result, reports, progress, target };
};

/** Numbers of the frames in which red is visible. */
const leaks = async (bytes: Uint8Array): Promise<number[]> =>
  (await framesOf(bytes))
    .filter(({ raster }) => {
      for (let y = 0; y < raster.height; y += 2) {
        for (let x = 0; x < raster.width; x += 2) {
          const [red, green] = pixelAt(raster, x, y);
          if (red > 150 && green < 80) return true;
        }
      }
      return false;
    })
    .map(({ index }) => index);

describe('a video', () => {
  it('shows red in the source, so that the other tests recognise a leak', async () => {
    expect(await leaks(await CLIP)).toHaveLength(FRAMES);
  });

  it.each([true, false])(
    'hides the object in every frame (without tracking: %s)',
    async (noObjectTracking) => {
      const { target, result } = await run({ job: { noObjectTracking } });
      expect(result).toMatchObject({ ...SIZE, frameCount: FRAMES, lostFrames: 0 });
      expect(await framesOf(target.bytes())).toHaveLength(FRAMES);
      expect(await leaks(target.bytes())).toEqual([]);
    },
  );

  it('hides the object by tracking in frames in which the detector missed it', async () => {
    const missed = [0, 1, 7, 8, 9, 20, 29];
    const sessions = sessionsThat((at) => (missed.includes(at) ? 'miss' : 'detect'));
    expect(await leaks((await run({ sessions })).target.bytes())).toEqual([]);
    const untracked = sessionsThat((at) => (missed.includes(at) ? 'miss' : 'detect'));
    const { target } = await run({ sessions: untracked, job: { noObjectTracking: true } });
    expect(await leaks(target.bytes())).toEqual(missed);
  });

  it('is reported frame by frame, in parts, with one track id for the object', async () => {
    const { reports, progress } = await run();
    expect(reports.map((part) => part.length)).toEqual([12, 12, 6]);
    const frames = reports.flat();
    expect(frames.map(({ index }) => index)).toEqual(Array.from({ length: FRAMES }, (_, index) => index));
    for (const { detections } of frames) {
      expect(detections).toMatchObject([{ objectClass: 'vehicle', trackId: 0, isAnonymised: true }]);
    }
    const pixels = SIZE.width * SIZE.height;
    expect(progress.at(-1)).toEqual({ framesDone: FRAMES, framesTotal: FRAMES, pixels });
  });

  it('has boxes and labels drawn on every frame with debug and score', async () => {
    const options = { method: 'blacken', classes: ['vehicle'], bbox: true } as const;
    const drawn = async (more: { readonly debug?: boolean; readonly score?: boolean }) =>
      framesOf(
        (await run({ job: { options: defaultImageOptions({ ...options, ...more }) } })).target.bytes(),
      );
    const plain = await drawn({});
    const debug = await drawn({ debug: true });
    const score = await drawn({ debug: true, score: true });
    const differing = (a: typeof plain, b: typeof plain, index: number): number =>
      a[index]!.raster.data.filter((value, at) => Math.abs(value - b[index]!.raster.data[at]!) > 40).length;
    for (const index of plain.keys()) {
      expect(differing(debug, plain, index), `boxes, frame ${index}`).toBeGreaterThan(300);
      expect(differing(score, debug, index), `labels, frame ${index}`).toBeGreaterThan(100);
    }
  });

  it('is reported and not written with the method detect', async () => {
    const { reports, target } = await run({
      job: { options: defaultImageOptions({ method: 'detect', classes: ['vehicle'] }) },
    });
    expect(reports.flat()).toHaveLength(FRAMES);
    expect(reports.flat().every(({ detections }) => detections.every((one) => !one.isAnonymised))).toBe(true);
    expect(target.bytes()).toHaveLength(0);
  });

  it('fails as a whole if one frame cannot be processed', async () => {
    const target = memoryTarget();
    const sessions = sessionsThat((at) => (at === 25 ? 'fail' : 'detect'));
    await expect(run({ sessions, target })).rejects.toThrow('a fault of the detector');
    await expect(framesOf(target.bytes())).rejects.toThrow();
  });

  it('fails if its result or report cannot be written', async () => {
    const fault = new Error('the disk is full');
    await expect(run({ files: { target: { write: () => Promise.reject(fault) } } })).rejects.toThrow();
    await expect(run({ files: { report: () => Promise.reject(fault) } })).rejects.toBe(fault);
  });

  it('is read again up to three times after an error of the disk', async () => {
    const bytes = await CLIP;
    const failing = (times: number) => {
      let left = times;
      return {
        sizeBytes: bytes.byteLength,
        read: async (start: number, end: number) => {
          if (left-- > 0) throw new Error('too slow');
          return bytes.slice(start, end);
        },
      };
    };
    expect((await run({ files: { source: failing(3) } })).result.frameCount).toBe(FRAMES);
    await expect(run({ files: { source: failing(4) } })).rejects.toThrow('too slow');
  });

  it('stops when it is aborted', async () => {
    const abort = new AbortController();
    const sessions = sessionsThat((at) => {
      if (at === 5) abort.abort(new Error('deleted'));
      return 'detect';
    });
    await expect(run({ sessions, signal: abort.signal })).rejects.toThrow('deleted');
  });
});
