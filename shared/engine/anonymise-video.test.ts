import { describe, expect, it } from 'vitest';
import { videoOptions } from '../catalogue/derive-parameters';
import type { GivenObject } from '../domain/given';
import { LIMITS } from '../domain/limits';
import type { VideoProgress } from '../ports/engine';
import type { VideoCodec, VideoFrame, VideoReader } from '../ports/video';
import { colourCenterNet, FAKE_MANIFEST, fakeSessions } from '../testing/fake-models';
import { createFakeSystem } from '../testing/fake-system';
import { createRaster, pixelAt } from '../testing/rasters';
import { createParkedFrames } from '../media/parked-frames';
import { createBufferPool } from '../media/sample-raster';
import { anonymiseVideo } from './anonymise-video';
import type { Raster } from '../domain/raster';
import { defaultImageOptions, type ImageOptions } from '../domain/options';
import { isDetected, type FrameReport } from '../domain/plan';
import type { Sessions } from './inference/sessions';

const SIZE = { width: 96, height: 64 };
const FRAMES = 12;
const FRAME_US = 40_000;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** A red car on grey. */
const scene = (index: number): Raster =>
  createRaster(SIZE.width, SIZE.height, (x, y) =>
    x >= 10 + index && x < 50 + index && y >= 16 && y < 48 ? [250, 0, 0] : [90, 90, 90],
  );
const showsRed = (raster: Raster): boolean => {
  for (let y = 0; y < raster.height; y++) {
    for (let x = 0; x < raster.width; x++) {
      const [red, green] = pixelAt(raster, x, y);
      if (red > 150 && green < 80) return true;
    }
  }
  return false;
};

const carsOf = (index: number): readonly GivenObject[] => [
  { objectClass: 'vehicle', score: 0.1, box: { x1: 10 + index, y1: 16, x2: 50 + index, y2: 48 } },
];

interface Behaviour {
  /** Before a frame is decoded. */
  readonly decode?: (index: number) => Promise<void>;
  /** In a run of the detector, counted from 0. */
  readonly search?: (run: number) => Promise<void>;
  /** When the writer gets a frame. */
  readonly write?: (index: number) => Promise<void>;
  /** The reported progress of its conversion. */
  readonly conversion?: readonly number[];
  readonly noObjectTracking?: boolean;
  readonly detectEvery?: number;
  readonly hides?: ImageOptions['hides'];
  /** Numbers of the frames whose cars are given, in parts. */
  readonly given?: readonly (readonly number[])[];
  readonly givenWidth?: number;
  readonly signal?: AbortSignal;
  /** Whether the reader parks frames. */
  readonly parks?: boolean;
}

const start = ({
  decode,
  search,
  write,
  conversion = [],
  noObjectTracking = true,
  detectEvery = 1,
  hides = [],
  given,
  givenWidth = SIZE.width,
  signal,
  parks = false,
}: Behaviour) => {
  const log = {
    decoded: 0,
    searched: 0,
    written: [] as number[],
    leaks: 0,
    /** Frames with a black corner, and those whose report lists an area. */
    black: [] as number[],
    areas: [] as number[],
    cancelled: false,
    closed: false,
    progress: [] as VideoProgress[],
    restored: 0,
    reports: [] as FrameReport[],
  };
  const restore = (index: number): Raster => {
    log.restored++;
    return scene(index);
  };
  const parked = createParkedFrames(createBufferPool(0));
  async function* frames(stop: AbortSignal): AsyncGenerator<VideoFrame> {
    for (let index = 0; index < FRAMES; index++) {
      stop.throwIfAborted();
      await decode?.(index);
      log.decoded++;
      const frame = { index, timestampUs: index * FRAME_US, durationUs: FRAME_US, raster: scene(index) };
      if (parks) parked.keep(frame, { restore: () => restore(index), drop: () => undefined });
      yield frame;
    }
  }
  const reader: VideoReader = {
    ...SIZE,
    frameCount: FRAMES,
    frameDurationUs: FRAME_US,
    endUs: 480_000,
    bitRate: 1e6,
    copiedAudioTracks: 0,
    reencodedAudioTracks: 0,
    droppedAudioTracks: [],
    frames,
    lostFrames: () => 0,
    ...(parks && { parking: parked }),
    close: () => void (log.closed = true),
    createWriter: async () => ({
      add: async ({ index, raster }) => {
        if (log.cancelled) throw new Error('written behind its end');
        if (showsRed(raster)) log.leaks++;
        if (pixelAt(raster, SIZE.width - 1, SIZE.height - 1)[0] === 0) log.black.push(index);
        await write?.(index);
        log.written.push(index);
      },
      finish: async () => undefined,
      cancel: async () => void (log.cancelled = true),
    }),
  };
  const fakes = fakeSessions({ objects: colourCenterNet(0.8) });
  const sessions: Sessions = {
    ...fakes,
    get: async (entry) => {
      const model = await fakes.get(entry);
      return {
        entry,
        run: async (makeInput) => {
          const run = log.searched++;
          await search?.(run);
          return model.run(makeInput);
        },
      };
    },
  };
  const job = {
    options: defaultImageOptions({ method: 'blacken', classes: ['vehicle'], bbox: true, hides }),
    ...videoOptions(),
    noObjectTracking,
    detectEvery,
    limits: LIMITS,
    framesPerReport: 5,
    ...(given && { given: { ...SIZE, width: givenWidth } }),
  };
  const files = {
    source: { sizeBytes: 1, read: async () => new Uint8Array(1) },
    target: { write: async () => undefined },
    report: async (frames: readonly FrameReport[]) => {
      log.reports.push(...frames);
      const hasArea = ({ detections }: FrameReport): boolean => detections.some((one) => !isDetected(one));
      log.areas.push(...frames.filter(hasArea).map(({ index }) => index));
    },
    given: async (part: number) => given?.[part]?.map(carsOf),
  };
  const open: VideoCodec['open'] = async (_source, _limits, _signal, onConverting) => {
    for (const share of conversion) onConverting?.(share);
    return reader;
  };
  const ports = {
    sessions,
    manifest: FAKE_MANIFEST,
    system: createFakeSystem(),
    videoCodec: { open },
  };
  const onProgress = (each: VideoProgress) => log.progress.push(each);
  const result = anonymiseVideo([job, files, onProgress, signal ?? new AbortController().signal], ports);
  result.catch(() => undefined);
  return { result, log };
};
const IN_ORDER = Array.from({ length: FRAMES }, (_, index) => index);

it('frames that give their pixels back while they are held back are hidden as others are', async () => {
  const [usual, parking] = [false, true].map((parks) => start({ parks, noObjectTracking: false }));
  await Promise.all([usual!.result, parking!.result]);
  expect(usual!.log.restored).toBe(0);
  expect(parking!.log.restored).toBeGreaterThanOrEqual(FRAMES);
  expect(parking!.log).toMatchObject({ leaks: 0, written: IN_ORDER });
  expect(parking!.log.reports).toEqual(usual!.log.reports);
});

it('a video that is converted first reports the conversion, and then its frames', async () => {
  const { result, log } = start({ conversion: [0, 0.5] });
  await result;
  expect(log.progress.slice(0, 4)).toEqual([
    { framesDone: 0, framesTotal: 1, converted: 0 },
    { framesDone: 0, framesTotal: 1, converted: 0.5 },
    { framesDone: 0, framesTotal: 1, converted: 1 },
    { framesDone: 1, framesTotal: FRAMES, pixels: SIZE.width * SIZE.height, converted: 1 },
  ]);
  const direct = start({});
  await direct.result;
  expect(direct.log.progress[0]).toEqual({
    framesDone: 1,
    framesTotal: FRAMES,
    pixels: SIZE.width * SIZE.height,
  });
});

describe('an area that is always hidden', () => {
  const corner = { topLeftX: 80, topLeftY: 50, width: 99, height: 99 };

  it('is hidden and reported in the frames of its times, and next to them', async () => {
    const { result, log } = start({ hides: [{ ...corner, start: 0.2, end: 0.24 }] });
    await result;
    expect([log.black, log.areas]).toEqual([
      [4, 5, 6, 7],
      [4, 5, 6, 7],
    ]);
  });

  it('fails the video if it lies outside, and no frame is written', async () => {
    const { result, log } = start({ hides: [{ ...corner, topLeftX: 96 }] });
    await expect(result).rejects.toThrow('`hides[0]` lies outside the image, which has 96 × 64 pixels.');
    expect(log).toMatchObject({ written: [], closed: true });
  });
});

describe('a video with given detections', () => {
  it('hides these without a search, and names no model', async () => {
    const { result, log } = start({ given: [IN_ORDER.slice(0, 7), IN_ORDER.slice(7)] });
    expect(await result).toMatchObject({ frameCount: FRAMES, models: [] });
    expect(log).toMatchObject({ searched: 0, written: IN_ORDER, leaks: 0 });
  });

  it.each([
    ['fewer frames than the video', { given: [IN_ORDER.slice(0, 7)] }, /do not list frame 7/],
    ['more frames than the video', { given: [IN_ORDER, [12]] }, /more frames than the video/],
    ['another size', { given: [IN_ORDER], givenWidth: 97 }, /have 96 × 64 pixels/],
  ])('of %s gives no result', async (_what, behaviour, sentence) => {
    const { result, log } = start(behaviour);
    await expect(result).rejects.toThrow(sentence);
    expect(log).toMatchObject({ leaks: 0, cancelled: true, closed: true });
  });
});

describe('the steps of a video', () => {
  it.each([true, false])(
    'write every frame, redacted and in order, whichever search ends first (without tracking: %s)',
    async (noObjectTracking) => {
      const search = async (run: number): Promise<void> => {
        for (let i = 0; i < [7, 1, 4][run % 3]!; i++) await settle();
      };
      const { result, log } = start({ search, noObjectTracking });
      expect((await result).frameCount).toBe(FRAMES);
      expect(log).toMatchObject({ written: IN_ORDER, leaks: 0, cancelled: false, closed: true });
    },
  );

  it('run concurrently: frames are searched while one is encoded, and no more than fit', async () => {
    let release!: () => void;
    const encoded = new Promise<void>((resolve) => (release = resolve));
    const { result, log } = start({ write: (index) => (index === 0 ? encoded : Promise.resolve()) });
    for (let i = 0; i < 200; i++) await settle();
    expect(log.written).toEqual([]);
    expect(log.searched).toBeGreaterThan(1);
    expect(log.decoded).toBeLessThanOrEqual(5);
    release();
    await result;
    expect(log.written).toEqual(IN_ORDER);
  });

  it('end when a search fails: neither its frame nor a later one is written', async () => {
    const { result, log } = start({
      search: async (run) => {
        if (run === 6) throw new Error('a fault of the detector');
      },
    });
    await expect(result).rejects.toThrow('a fault of the detector');
    expect(log.written.every((index) => index < 6)).toBe(true);
    expect(log).toMatchObject({ leaks: 0, cancelled: true, closed: true });
  });

  it('end at once when a frame cannot be written', async () => {
    const { result, log } = start({
      write: async (index) => {
        if (index === 2) throw new Error('the disk is full');
      },
    });
    await expect(result).rejects.toThrow('the disk is full');
    expect(log.written).toEqual([0, 1]);
    expect(log.decoded).toBeLessThan(FRAMES);
    expect(log).toMatchObject({ cancelled: true, closed: true });
  });

  it('end when a frame cannot be decoded, with that reason', async () => {
    const { result, log } = start({
      decode: async (index) => {
        if (index === 5) throw new Error('a broken file');
      },
    });
    await expect(result).rejects.toThrow('a broken file');
    expect(log).toMatchObject({ leaks: 0, cancelled: true, closed: true });
  });

  it('end when the video is aborted while all of them run', async () => {
    const abort = new AbortController();
    const { result, log } = start({
      signal: abort.signal,
      write: async (index) => {
        if (index === 3) abort.abort(new Error('deleted'));
      },
    });
    await expect(result).rejects.toThrow('deleted');
    expect(log.written).toEqual([0, 1, 2, 3]);
    expect(log).toMatchObject({ cancelled: true, closed: true });
  });

  it('hide tracks in frames without a search', async () => {
    const { result, log } = start({ noObjectTracking: false, detectEvery: 3 });
    await result;
    expect(log).toMatchObject({ written: IN_ORDER, leaks: 0 });
    expect(log.searched).toBeLessThan(FRAMES / 2);
  });

  it('search every frame without tracking, for any `detectEvery`', async () => {
    const { result, log } = start({ noObjectTracking: true, detectEvery: 3 });
    await result;
    expect(log).toMatchObject({ written: IN_ORDER, leaks: 0, searched: FRAMES });
  });
});
