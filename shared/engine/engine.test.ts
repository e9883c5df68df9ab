import { inspector } from './host-engine';
import { imageHeader } from '../testing/sniffed-files';
import { describe, expect, it } from 'vitest';
import type { ModelEntry } from '../domain/manifest';
import type { ImageCodec } from '../ports/codec';
import type { ImageJob } from '../ports/engine';
import {
  type FakeNetwork,
  blueTextNet,
  colourCenterNet,
  FAKE_MANIFEST,
  maskNet,
} from '../testing/fake-models';
import { createFakeSystem } from '../testing/fake-system';
import { rampPng } from '../testing/ramp-images';
import { boxOf } from '../testing/plans';
import { copyRaster, createRaster } from '../testing/rasters';
import { createEngine } from './engine';
import { defaultImageOptions, DEFAULT_THRESHOLDS, type ImageOptions } from '../domain/options';
import type { RedactionPlan } from '../domain/plan';
import type { Raster } from '../domain/raster';

const SIZE = { width: 256, height: 160 };
const FILE = rampPng(SIZE.width, SIZE.height);
const HEADER = imageHeader({ format: 'png', ...SIZE });

/** A blue plate on a red car, and a green person. */
const OBJECTS = [
  [boxOf(70, 100, 110, 110), [0, 0, 255]],
  [boxOf(20, 60, 150, 130), [255, 0, 0]],
  [boxOf(190, 40, 220, 140), [0, 255, 0]],
] as const;
const colourAt = (x: number, y: number): readonly [number, number, number] =>
  OBJECTS.find(([{ x1, y1, x2, y2 }]) => x >= x1 && x < x2 && y >= y1 && y < y2)?.[1] ?? [90, 90, 90];
const SCENE = createRaster(SIZE.width, SIZE.height, colourAt);

const NETWORKS: Readonly<Record<string, FakeNetwork>> = {
  objects: colourCenterNet(0.8),
  text: blueTextNet(0.9),
  selfie: maskNet('green'),
  pose: maskNet('green'),
};
const fileOf = ({ id }: ModelEntry): Uint8Array => Uint8Array.from(id, (c) => c.charCodeAt(0));

/** An engine over a codec that decodes every file to the scene and writes pixels as they are. */
const startEngine = async (scene: Raster = SCENE) => {
  let elapsedMs = 0;
  const system = { ...createFakeSystem(), elapsedMs: () => (elapsedMs += 10) };
  const models = await Promise.all(
    FAKE_MANIFEST.models.map(async (entry) => ({
      ...entry,
      bytes: fileOf(entry).byteLength,
      sha256: await system.sha256(fileOf(entry)),
    })),
  );
  const calls = { decoded: 0, loaded: [] as string[] };
  const codec: ImageCodec = {
    decode: async () => {
      calls.decoded += 1;
      return copyRaster(scene);
    },
    encodeLossy: async (_format: string, { data }) => Uint8Array.from(data),
    encodePng: async ({ data }) => Uint8Array.from(data),
  };
  const engine = createEngine({
    codec,
    system,
    manifest: { models },
    modelFiles: {
      read: async (file, onProgress) => {
        onProgress?.(0.5);
        onProgress?.(1);
        return fileOf(models.find((entry) => entry.file === file)!);
      },
    },
    runtime: {
      backend: 'fake',
      parallelRuns: 2,
      createSession: async (bytes) => {
        const id = String.fromCharCode(...bytes);
        calls.loaded.push(id);
        return {
          run: async ({ image }) => {
            const [first, second] = NETWORKS[id]!(image!);
            return { first: first!, second: second ?? first! };
          },
          close: async () => undefined,
        };
      },
    },
  });
  return { engine, calls };
};

const CLASSES = ['license-plate', 'person', 'vehicle'] as const;
const NEEDS = defaultImageOptions({ classes: CLASSES });
const jobFor = (changed: Partial<ImageOptions> = {}, masks: ImageJob['masks'] = []): ImageJob => ({
  bytes: FILE,
  options: defaultImageOptions({ classes: CLASSES, method: 'blacken', ...changed }),
  header: HEADER,
  encoding: { format: 'jpeg', quality: 90 },
  masks,
});
const idle = new AbortController().signal;
const RENDERING = { bytes: FILE, encoding: { format: 'png', compressLevel: 0 }, header: HEADER } as const;
const quiet = (): void => undefined;
const anonymise = async (changed: Partial<ImageOptions> = {}, masks: ImageJob['masks'] = []) => {
  const { engine, calls } = await startEngine();
  const result = await engine.anonymiseImage(jobFor(changed, masks), quiet, idle);
  return { engine, calls, result };
};
const classesIn = (result: Awaited<ReturnType<typeof anonymise>>['result']): string[] =>
  result.report.detections.map(({ objectClass }) => objectClass);
const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);
const blackPixels = (data: Uint8Array): number =>
  data.filter((_, i) => i % 4 === 0 && data[i] === 0 && data[i + 1] === 0 && data[i + 2] === 0).length;

describe('an image', () => {
  it('yields its car, its plate and its person, each once and in its place', async () => {
    const { result } = await anonymise();
    expect(classesIn(result)).toEqual(['license-plate', 'person', 'vehicle']);
    const [plate, person, car] = result.report.detections;
    expect(car!.box).toEqual(boxOf(20, 60, 150, 130));
    expect(person!.box).toEqual(boxOf(190, 40, 220, 140));
    expect(plate!.box.x1 < 70 && plate!.box.x2 > 110 && plate!.box.y1 < 100 && plate!.box.y2 > 110).toBe(
      true,
    );
    expect(result.report).toMatchObject(SIZE);
  });

  it('stores candidates below the threshold with its plan on request, and hides and reports the same', async () => {
    const { engine } = await startEngine();
    const job = jobFor({ thresholds: { ...DEFAULT_THRESHOLDS, vehicle: 0.99 } });
    const without = await engine.anonymiseImage({ ...job, bytes: FILE.slice() }, quiet, idle);
    const result = await engine.anonymiseImage(
      { ...job, bytes: FILE.slice(), candidateFloor: 0.25 },
      quiet,
      idle,
    );
    expect(result.plan.candidates?.map(({ objectClass }) => objectClass)).toEqual(['vehicle']);
    expect(result.plan.regions).toEqual(without.plan.regions);
    expect(without.plan).not.toHaveProperty('candidates');
    expect(isSame(result.anonymised!, without.anonymised!)).toBe(true);
  });

  it('gets the same mask of a person later as in the first run', async () => {
    const { engine, calls } = await startEngine();
    const { plan } = await engine.anonymiseImage({ ...jobFor(), bytes: FILE.slice() }, quiet, idle);
    const person = plan.regions.find(({ detection }) => detection.objectClass === 'person')!;
    expect(person.shape.kind).toBe('runs');
    const { decoded } = calls;
    expect(await engine.outlineObjects(FILE.slice(), [person.detection], HEADER, idle)).toEqual([
      person.shape,
    ]);
    const plate = plan.regions[0]!.detection;
    expect(await engine.outlineObjects(FILE.slice(), [plate], HEADER, idle)).toEqual([null]);
    expect(calls.decoded).toBe(decoded + 1);
  });

  it('has every object hidden, and all other pixels unchanged', async () => {
    const data = (await anonymise()).result.anonymised!;
    const at = (x: number, y: number): number[] => [
      ...data.subarray((y * 256 + x) * 4, (y * 256 + x) * 4 + 4),
    ];
    expect(at(85, 95)).toEqual([0, 0, 0, 255]);
    expect(at(72, 105)).toEqual([0, 0, 0, 255]);
    expect(at(205, 90)).toEqual([0, 0, 0, 255]);
    expect(at(5, 5)).toEqual([90, 90, 90, 255]);
    expect(at(170, 90)).toEqual([90, 90, 90, 255]);
  });

  it('is not written with detect, but its masks and its report are', async () => {
    const { result } = await anonymise({ method: 'detect' }, ['binary']);
    expect(result.anonymised).toBeNull();
    expect(result.masks.binary!.some((value) => value === 255)).toBe(true);
    expect(result.report.detections.every(({ isAnonymised }) => !isAnonymised)).toBe(true);
  });

  it('gets the requested masks, equal to those that its plan gives later', async () => {
    const { engine, result } = await anonymise({}, ['binary', 'instance']);
    for (const kind of ['binary', 'instance'] as const) {
      expect(isSame(result.masks[kind]!, await engine.renderMask(result.plan, kind, 100, idle))).toBe(true);
    }
    expect((await anonymise({}, ['instance'])).result.masks.binary).toBeUndefined();
  });

  it('is rendered again, pixel by pixel, from its stored plan', async () => {
    const { engine, result } = await anonymise({ method: 'blur', debug: true, score: true });
    const stored = JSON.parse(JSON.stringify(result.plan)) as RedactionPlan;
    const again = await engine.renderImage({ ...RENDERING, plan: stored }, idle);
    expect(isSame(again, result.anonymised!)).toBe(true);
  });

  it('of another size than its plan’s is not rendered', async () => {
    const { result } = await anonymise();
    const { engine } = await startEngine(createRaster(160, 256, () => [0, 0, 0]));
    const rendering = engine.renderImage({ ...RENDERING, plan: result.plan }, idle);
    await expect(rendering).rejects.toThrow('another size');
  });

  it('beyond the limits is refused before it is decoded', async () => {
    const source = { sizeBytes: FILE.length, read: async () => FILE };
    const limits = { maxPixels: 1000, maxSidePx: 10_000 };
    await expect(inspector.inspectImage(source, limits)).rejects.toThrow('the limit is 1,000');
  });
});

describe('options', () => {
  it('leave out an unwanted class, and do not load its models', async () => {
    const { result, calls } = await anonymise({ classes: ['vehicle'] });
    expect(classesIn(result)).toEqual(['vehicle']);
    expect(calls.loaded).toEqual(['objects']);
  });

  it('for plates alone find vehicles, but neither report nor hide them', async () => {
    const { result } = await anonymise({ classes: ['license-plate'] });
    expect(classesIn(result)).toEqual(['license-plate']);
    expect([...result.anonymised!.subarray((65 * 256 + 30) * 4, (65 * 256 + 30) * 4 + 3)]).toEqual([
      255, 0, 0,
    ]);
  });

  it('apply each class’s own threshold', async () => {
    const thresholds = { face: 0.5, 'license-plate': 0.5, person: 0.99, vehicle: 0.4 };
    expect(classesIn((await anonymise({ thresholds })).result)).toEqual(['license-plate', 'vehicle']);
  });

  it('hide a plate on a vehicle whose own score is too low', async () => {
    const thresholds = { face: 0.5, 'license-plate': 0.5, person: 0.4, vehicle: 0.99 };
    const { result } = await anonymise({ thresholds, classes: ['license-plate', 'vehicle'] });
    expect(classesIn(result)).toEqual(['license-plate']);
  });

  it('hide masks, or whole boxes on request', async () => {
    const options = { classes: ['person'] } as const;
    const outline = blackPixels((await anonymise(options)).result.anonymised!);
    const box = blackPixels((await anonymise({ ...options, bbox: true })).result.anonymised!);
    expect(outline).toBeGreaterThan(2500);
    expect(box).toBeGreaterThan(outline);
  });

  it('do not change ignored areas, and report the objects in them as not hidden', async () => {
    const ignores = [{ x: 180, y: 30, width: 60, height: 130 }];
    const { result } = await anonymise({ ignores });
    const byClass = result.report.detections.map(({ objectClass, isAnonymised }) => [
      objectClass,
      isAnonymised,
    ]);
    expect(byClass).toEqual([
      ['license-plate', true],
      ['person', false],
      ['vehicle', true],
    ]);
  });

  it('detect the same objects with tiles', async () => {
    const format = { kind: 'grid', number: [2, 2], overlap: [0.2, 0.2] } as const;
    const { result } = await anonymise({ format });
    expect(classesIn(result)).toEqual(['license-plate', 'person', 'vehicle']);
  });
});

describe('the engine', () => {
  it('reports progress that never decreases and ends at 1', async () => {
    const { engine } = await startEngine();
    const shares: number[] = [];
    await engine.anonymiseImage(jobFor(), (share) => shares.push(share), idle);
    expect(shares.length).toBeGreaterThan(5);
    shares.forEach((share, i) => expect(share).toBeGreaterThanOrEqual(shares[i - 1] ?? 0));
    expect(shares.at(-1)).toBe(1);
  });

  it('rejects with the reason of its abort', async () => {
    for (const when of [0, 3]) {
      const { engine } = await startEngine();
      const abort = new AbortController();
      let steps = 0;
      const onProgress = (): void => {
        if (steps++ === when) abort.abort(new Error('called off'));
      };
      await expect(engine.anonymiseImage(jobFor(), onProgress, abort.signal)).rejects.toThrow('called off');
    }
  });

  it('reports the time of each step', async () => {
    const { result } = await anonymise({}, ['binary']);
    expect(Object.keys(result.timings)).toEqual(['decode', 'detect', 'segment', 'redact', 'encode', 'masks']);
    expect(result.report.durationS).toBeGreaterThan(0);
  });

  it('can load its models beforehand, once, and reports their backend', async () => {
    const { engine, calls } = await startEngine();
    const shares: number[] = [];
    expect(await engine.load(NEEDS, (share) => shares.push(share), idle)).toEqual({ backend: 'fake' });
    shares.forEach((share, i) => expect(share).toBeGreaterThanOrEqual(shares[i - 1] ?? 0));
    expect(shares.at(-1)).toBe(1);
    expect(calls.loaded).toEqual(['objects', 'text', 'selfie', 'pose']);
    await engine.anonymiseImage(jobFor(), quiet, idle);
    expect(calls.loaded).toHaveLength(4);
  });
});

describe('an engine whose call was aborted before it began', () => {
  const abort = new AbortController();
  abort.abort(new Error('called off'));
  const { signal } = abort;

  it('decodes, loads and renders nothing', async () => {
    const { plan } = (await anonymise()).result;
    const { engine: fresh, calls } = await startEngine();
    await expect(fresh.load(NEEDS, quiet, signal)).rejects.toThrow('called off');
    await expect(fresh.anonymiseImage({ ...jobFor(), bytes: FILE }, quiet, signal)).rejects.toThrow(
      'called off',
    );
    await expect(fresh.outlineObjects(FILE, [], HEADER, signal)).rejects.toThrow('called off');
    await expect(fresh.renderImage({ ...RENDERING, plan }, signal)).rejects.toThrow('called off');
    await expect(fresh.renderMask(plan, 'binary', 100, signal)).rejects.toThrow('called off');
    expect(calls).toMatchObject({ decoded: 0, loaded: [] });
  });
});

it('an engine without a video codec refuses videos', async () => {
  const { engine } = await startEngine();
  await expect(engine.anonymiseVideo({} as never, {} as never, quiet, idle)).rejects.toThrow(
    'takes no videos',
  );
  await expect(engine.renderVideo({} as never, {} as never, quiet, idle)).rejects.toThrow('takes no videos');
});
