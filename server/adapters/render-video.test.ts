import { beforeAll, describe, expect, it } from 'vitest';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { LIMITS } from '#shared/domain/limits';
import { anonymiseVideo } from '#shared/engine/anonymise-video';
import type { ObjectClass } from '#shared/catalogue/classes';
import { toBbox } from '#shared/domain/boxes';
import type { Raster } from '#shared/domain/raster';
import { renderVideo } from '#shared/engine/video/render-video';
import type { Edits } from '#shared/domain/edits/edits';
import type { FramePlan, FrameReport } from '#shared/domain/plan';
import { defaultImageOptions, type ImageOptions } from '#shared/domain/options';
import type { VideoJob } from '#shared/ports/engine';
import type { VideoFrame } from '#shared/ports/video';
import { colourCenterNet, FAKE_MANIFEST, fakeSessions, maskNet } from '#shared/testing/fake-models';
import { createFakeSystem } from '#shared/testing/fake-system';
import { boxOf } from '#shared/testing/plans';
import { createRaster, pixelAt } from '#shared/testing/rasters';
import { BURST, expectBurst, detectTones, sound } from '../testing/bursts';
import { breakPackets, encodeClip, framesOf, memoryTarget, sourceOf, testedCodec } from '../testing/clips';

const SIZE = { width: 256, height: 160 };
const FRAMES = 16;
const FRAME_S = 0.04;
const FOUND = { y: 20, side: 40 };
/** A red car and a green person, which detectors find, and a blue thing, which they do not; all move to the right. */
const LEFT = { car: 10, person: 130 } as const;
type Found = keyof typeof LEFT;
const COLOURS = { car: [250, 0, 0], person: [0, 250, 0] } as const satisfies Record<Found, unknown>;
const FOUND_KINDS = Object.keys(LEFT) as Found[];
const foundAt = (kind: Found, index: number): number => LEFT[kind] + index * 2;
const thingAt = (index: number): number => 30 + index * 3;
const THING = { y: 100, width: 48, height: 40 };

const isIn = (
  x: number,
  y: number,
  [left, top, width, height]: readonly [number, number, number, number],
): boolean => x >= left && x < left + width && y >= top && y < top + height;
const scene = (index: number): Raster =>
  createRaster(SIZE.width, SIZE.height, (x, y) => {
    for (const kind of FOUND_KINDS) {
      if (isIn(x, y, [foundAt(kind, index), FOUND.y, FOUND.side, FOUND.side])) return COLOURS[kind];
    }
    const left = thingAt(index);
    if (!isIn(x, y, [left, THING.y, THING.width, THING.height])) return [90, 90, 90];
    const isDark = (Math.floor((x - left) / 8) * 5 + Math.floor((y - THING.y) / 8) * 3) % 4 < 2;
    return isDark ? [20, 20, 100] : [60, 60, 190];
  });

const OUTPUT = {
  options: defaultImageOptions({ method: 'blacken', classes: ['vehicle', 'person'], bbox: true }),
  keepBitRate: false,
  audio: 'keep',
  limits: LIMITS,
} as const;
const never = (): AbortSignal => new AbortController().signal;

interface FirstRun {
  readonly source: Uint8Array;
  readonly result: Uint8Array;
  readonly parts: readonly (readonly FramePlan[])[];
  readonly reports: readonly FrameReport[];
}

const clip = (): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: FRAMES }, (_, index) => [index * FRAME_S, scene(index)]),
    sounds: [sound('pcm-s16', 48_000, 1)],
  });

const firstRun = async (source: Uint8Array, more: Partial<VideoJob> = {}): Promise<FirstRun> => {
  const target = memoryTarget();
  const parts: (readonly FramePlan[])[] = [];
  const reports: FrameReport[] = [];
  await anonymiseVideo(
    [
      { ...videoOptions(), ...OUTPUT, framesPerReport: 6, keepsPlans: true, ...more },
      {
        source: sourceOf(source),
        target,
        report: async (some, plans) => {
          reports.push(...some);
          parts.push(JSON.parse(JSON.stringify(plans)) as FramePlan[]);
        },
      },
      () => undefined,
      never(),
    ],
    {
      sessions: fakeSessions({
        objects: colourCenterNet(0.8),
        selfie: maskNet('green'),
        pose: maskNet('green'),
      }),
      manifest: FAKE_MANIFEST,
      system: createFakeSystem(),
      videoCodec: testedCodec,
    },
  );
  return { source, result: target.bytes(), parts, reports };
};

let first: FirstRun;
beforeAll(async () => {
  first = await firstRun(await clip());
});

interface Rendered {
  readonly parts?: FirstRun['parts'];
  readonly source?: Uint8Array;
  readonly preview?: number;
  readonly options?: ImageOptions;
}

const render = async (
  edits: Edits = {},
  { parts = first.parts, source = first.source, ...part }: Rendered = {},
) => {
  const target = memoryTarget();
  const result = await renderVideo(
    [
      { ...OUTPUT, ...part, edits },
      { source: sourceOf(source), target, plans: async (part) => parts[part] },
      () => undefined,
      never(),
    ],
    { system: createFakeSystem(), videoCodec: testedCodec },
  );
  return { result, bytes: target.bytes(), frames: await framesOf(target.bytes()) };
};

type Rgb = readonly [red: number, green: number, blue: number];
const LOOKS = {
  car: ([red, green]: Rgb) => red > 150 && green < 80,
  person: ([red, green]: Rgb) => green > 150 && red < 80,
  thing: ([red, , blue]: Rgb) => blue > red + 40,
};
const placeOf = (what: keyof typeof LOOKS, index: number): readonly [x: number, y: number] =>
  what === 'thing'
    ? [thingAt(index) + THING.width / 2, THING.y + THING.height / 2]
    : [foundAt(what, index) + FOUND.side / 2, FOUND.y + FOUND.side / 2];
/** Numbers of the frames in which the middle of an object is visible. */
const showing = (frames: readonly VideoFrame[], what: keyof typeof LOOKS): number[] =>
  frames
    .filter(({ index, raster }) => LOOKS[what](pixelAt(raster, ...placeOf(what, index))))
    .map(({ index }) => index);
const AREA = { type_label: 'license-plate', shape: 'box' } as const;
const ALL = Array.from({ length: FRAMES }, (_, index) => index);
const trackOf = (objectClass: ObjectClass): number =>
  first.reports[0]!.detections.find((one) => one.objectClass === objectClass)!.trackId!;

const expectSameFrames = (after: readonly VideoFrame[], before: readonly VideoFrame[]): void => {
  expect(after).toHaveLength(before.length);
  for (const [index, { timestampUs, raster }] of after.entries()) {
    expect(timestampUs).toBe(before[index]!.timestampUs);
    const isSame = Buffer.from(raster.data).equals(Buffer.from(before[index]!.raster.data));
    expect(isSame, `frame ${index}`).toBe(true);
  }
};

describe('a video that is rendered again', () => {
  it('is identical to the first result if nothing was changed', async () => {
    expectSameFrames((await render()).frames, await framesOf(first.result));
    expect(first.parts.map((part) => part.length)).toEqual([6, 6, 4]);
  });

  it('shows a visible track in every frame, and no other track', async () => {
    const before = await framesOf(first.result);
    expect([showing(before, 'car'), showing(before, 'person')]).toEqual([[], []]);
    const { frames } = await render({ objects: [{ id: trackOf('vehicle'), hidden: false }] });
    expect(showing(frames, 'car')).toEqual(ALL);
    expect(showing(frames, 'person')).toEqual([]);
  });

  it('shows a hidden track only inside its range, and hides a visible one there', async () => {
    // From the middle of frame 4 to the middle of frame 9.
    const range = { start: 4.5 * FRAME_S, end: 9.5 * FRAME_S };
    const [car, person] = [trackOf('vehicle'), trackOf('person')];
    const { frames, result } = await render({
      objects: [
        { id: person, hidden: true, ...range },
        { id: car, hidden: false, ...range },
      ],
    });
    expect(showing(frames, 'car')).toEqual([5, 6, 7, 8]);
    expect(showing(frames, 'person')).toEqual(ALL.filter((index) => index < 3 || index > 10));
    expect(result.shown).toEqual([
      { trackId: person, firstFrame: 0, lastFrame: 2 },
      { trackId: car, firstFrame: 5, lastFrame: 8 },
      { trackId: person, firstFrame: 11, lastFrame: FRAMES - 1 },
    ]);
  });

  it('hides a drawn box only in its range, and before its frame at the place where it was drawn', async () => {
    const at = 8;
    const box = boxOf(thingAt(3), THING.y, thingAt(at) + THING.width, THING.y + THING.height);
    const range = { start: 5 * FRAME_S, end: 11.5 * FRAME_S };
    const { frames, result } = await render({
      areas: [{ ...AREA, bbox: toBbox(box), at: at * FRAME_S, ...range }],
    });
    expect(showing(frames, 'thing')).toEqual(ALL.filter((index) => index < 4 || index > 12));
    expect(result.followed[0]).toMatchObject({ area: 0, from: 4 * FRAME_S });
  });

  it('hides the content of a drawn box from its frame on, and reports until when', async () => {
    const at = 5;
    const box = boxOf(thingAt(at), THING.y, thingAt(at) + THING.width, THING.y + THING.height);
    const { frames, result } = await render({
      areas: [{ ...AREA, bbox: toBbox(box), at: at * FRAME_S + 0.009 }],
    });
    // The frame before is hidden too, because a player may be off by one.
    expect(showing(frames, 'thing')).toEqual(ALL.filter((index) => index < at - 1));
    expect(result.followed).toHaveLength(1);
    expect(result.followed[0]).toMatchObject({ area: 0, from: at * FRAME_S });
    expect(result.followed[0]!.seen_until).toBeCloseTo(FRAMES * FRAME_S, 6);
    expect(result.followed[0]!.until).toBeCloseTo(FRAMES * FRAME_S, 6);
  });

  it('hides the content of an ellipse and of a stroke from its frame on, by the area’s own method', async () => {
    const at = 5;
    const box = boxOf(thingAt(at), THING.y, thingAt(at) + THING.width, THING.y + THING.height);
    const middle = [thingAt(at) + THING.width / 2, THING.y + THING.height / 2] as const;
    const points = [[box.x1 + 9, box.y1 + 9], middle, [box.x2 - 9, box.y2 - 9]] as const;
    for (const shape of [
      { shape: 'ellipse', bbox: toBbox(box) },
      { shape: 'stroke', points, radius: 9 },
    ] as const) {
      const area = { ...shape, type_label: 'face', at: at * FRAME_S + 0.009 } as const;
      const { frames } = await render({ areas: [area] });
      expect(showing(frames, 'thing')).toEqual(ALL.filter((index) => index < at - 1));
      const pixelated = await render({ areas: [{ ...area, method: 'pixelate' }] });
      const [, , blue] = pixelAt(pixelated.frames.at(-1)!.raster, ...placeOf('thing', FRAMES - 1));
      expect(blue).toBeGreaterThan(60);
    }
  });

  it('hides a track by its own method', async () => {
    const range = { start: 3 * FRAME_S, end: 6 * FRAME_S };
    const { frames } = await render({
      objects: [{ id: trackOf('vehicle'), method: 'pixelate', ...range }],
    });
    const isBlack = frames.map(
      ({ index, raster }) => Math.max(...pixelAt(raster, ...placeOf('car', index)).slice(0, 3)) < 30,
    );
    expect(isBlack).toEqual(ALL.map((index) => index < 3 || index > 5));
    const person = frames.map(({ index, raster }) => pixelAt(raster, ...placeOf('person', index))[1]);
    expect(Math.max(...person)).toBeLessThan(30);
  });

  it('hides a box in the last frame if it was drawn after the end of the video', async () => {
    const last = FRAMES - 1;
    const box = boxOf(thingAt(last), THING.y, thingAt(last) + THING.width, THING.y + THING.height);
    const { frames } = await render({ areas: [{ ...AREA, bbox: toBbox(box), at: 1_000 }] });
    expect(showing(frames, 'thing')).toEqual(ALL.filter((index) => index < last));
  });

  it('has no sound in muted parts, and the same sound elsewhere', async () => {
    const part = [BURST.from, BURST.to] as const;
    const later = [BURST.to + 0.000_001, 9_000] as const;
    const burstsOf = async (edits: Edits) => (await detectTones((await render(edits)).bytes))[0]!;
    expect((await burstsOf({ mute: [part] })).burst).toEqual([Infinity, -Infinity]);
    expectBurst(await burstsOf({ mute: [later] }));
  });

  it('ends with its first run if that was of the beginning only', async () => {
    const preview = 0.4;
    const beginning = await firstRun(await clip(), { preview });
    const expected = ALL.filter((index) => index * FRAME_S < preview);
    expect(beginning.reports.map(({ index }) => index)).toEqual(expected);
    const { bytes, frames, result } = await render({}, { ...beginning, preview });
    expect([frames.length, result.frameCount]).toEqual([expected.length, expected.length]);
    expectSameFrames(frames, await framesOf(beginning.result));
    expect((await detectTones(bytes))[0]!.burst).toEqual([Infinity, -Infinity]); // it comes later
  });

  it('leaves out the same broken frames as the first run', async () => {
    const broken = await breakPackets(await clip(), [7, 8], (packet) => void packet.fill(0));
    const { parts, source } = await firstRun(broken);
    const { frames, result } = await render(
      { objects: [{ id: trackOf('vehicle'), hidden: false }] },
      { parts, source },
    );
    expect(result).toMatchObject({ frameCount: FRAMES - 2, lostFrames: 2 });
    expect(showing(frames, 'person')).toEqual([]);
  });

  it('fails if a frame has no plan or a plan has no frame', async () => {
    const [one, two, three] = first.parts;
    await expect(render({}, { parts: [one!, two!] })).rejects.toThrow('frame 12 has no plan');
    const missing = [one!, two!.filter(({ index }) => index !== 8), three!];
    await expect(render({}, { parts: missing })).rejects.toThrow('frame 8 has no plan');
    const late = [one!, two!, three!.map((plan) => ({ ...plan, timestampUs: plan.timestampUs + 500 }))];
    await expect(render({}, { parts: late })).rejects.toThrow('frame 12 has no plan');
    const more = [...first.parts, [{ index: FRAMES, timestampUs: 0, regions: [] }]];
    await expect(render({}, { parts: more })).rejects.toThrow('not decoded again');
  });
});

it('areas of the upload that are always hidden stay hidden in the frames of their times, whatever edits show', async () => {
  const everything = { topLeftX: 0, topLeftY: 0, width: 1, height: 1, unit: 'fraction' } as const;
  const options: ImageOptions = { ...OUTPUT.options, hides: [{ ...everything, start: 0.2, end: 0.24 }] };
  const ids = new Set(
    first.reports.flatMap(({ detections }) => detections.map(({ trackId }) => trackId ?? 0)),
  );
  const objects = [...ids].map((id) => ({ id, hidden: false }));
  const { frames } = await render({ objects }, { options });
  const others = [0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15];
  expect(showing(frames, 'thing')).toEqual(others);
  expect(showing(frames, 'car')).toEqual(others);
});
