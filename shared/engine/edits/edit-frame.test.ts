import { describe, expect, it } from 'vitest';
import { growBox, toBbox, type Box } from '../../domain/boxes';
import type { AreaEdit, DrawnShape, Edits } from '../../domain/edits/edits';
import { defaultImageOptions } from '../../domain/options';
import type { PlannedRegion } from '../../domain/plan';
import { coverOf } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { plainRaster } from '../../testing/rasters';
import { splitAtSeam } from '../fusion/seam';
import { editFrame } from './edit-frame';
import type { DrawnPlace } from './follow-drawn';

const SIZE = { width: 160, height: 120 };
const FRAME_US = 40_000;
const FRAME_S = 0.04;
const FACE = boxOf(20, 20, 44, 50);
const CAR = boxOf(80, 30, 140, 80);
const OPTIONS = defaultImageOptions({ method: 'blur' });
const regions: readonly PlannedRegion[] = planFor(SIZE, [
  found('face', FACE),
  found('vehicle', CAR),
]).regions.map((region, trackId) => ({ ...region, trackId }));
const frameAt = (index: number) => ({
  index,
  timestampUs: index * FRAME_US,
  durationUs: FRAME_US,
  raster: plainRaster(SIZE.width, SIZE.height, [9, 9, 9]),
});
const edited = (edits: Edits, places: readonly DrawnPlace[] = [], index = 0) =>
  editFrame(frameAt(index), { regions, places }, { options: OPTIONS, edits });
const planned = (edits: Edits, index = 0) =>
  edited(edits, [], index).regions.map(({ detection, method }) => [detection.objectClass, method ?? 'blur']);

describe('a track with its own method', () => {
  const own = { id: 0, method: 'blacken' } as const;
  const objects = [own];

  it('is hidden by it, and other tracks are hidden as before', () => {
    const plan = edited({ objects });
    expect(plan.regions[0]).toMatchObject({ method: 'blacken', featherPx: 0 });
    expect(plan.regions[1]).toEqual({ ...regions[1], trackId: 1 });
  });

  it('has the method only in its frames, and is hidden in all frames', () => {
    const range = { start: 2 * FRAME_S, end: 4 * FRAME_S };
    const methods = [0, 1, 2, 3, 4].map(
      (index) => planned({ objects: [{ ...own, ...range }] }, index)[0]?.[1],
    );
    expect(methods).toEqual(['blur', 'blur', 'blacken', 'blacken', 'blur']);
  });

  it('is hidden even if its class is left out, or its score is below the threshold', () => {
    const hiding = { method: 'pixelate', classes: ['vehicle'] } as const;
    expect(planned(hiding)).toEqual([['vehicle', 'blur']]);
    expect(edited({ ...hiding, objects }).regions.map(({ method }) => method)).toEqual([
      'blacken',
      undefined,
    ]);
    expect(edited({ method: 'pixelate', thresholds: { face: 1 }, objects }).regions).toHaveLength(2);
  });

  it('is visible where edits show it', () => {
    expect(planned({ objects: [{ ...own, hidden: false }] })).toEqual([['vehicle', 'blur']]);
  });
});

describe('a track that a person placed', () => {
  const placed = { id: 1, bbox: [90, 30, 130, 70], found: toBbox(CAR) } as const;

  it('is hidden there, and not where it was found', () => {
    const cover = coverOf(edited({ objects: [placed] }));
    const at = (x: number, y: number) => cover[y * SIZE.width + x];
    expect([at(110, 50), at(110, 79)]).toEqual([255, 0]);
    expect(at(30, 35)).toBe(255);
  });

  it('is moved and stretched in frames where it is larger', () => {
    const small = regions.map((region) => ({
      ...region,
      detection: { ...region.detection, box: boxOf(80, 30, 110, 55) },
    }));
    const plan = editFrame(
      frameAt(1),
      { regions: small, places: [] },
      { options: OPTIONS, edits: { objects: [placed] } },
    );
    expect(plan.regions[1]!.detection.box).toEqual(boxOf(85, 30, 105, 50));
  });

  it('is hidden where it was found if it was moved out of the frame', () => {
    const outside = { ...placed, bbox: [900, 30, 950, 70] } as const;
    expect(edited({ objects: [outside] }).regions[1]!.detection.box).toEqual(CAR);
  });

  it('is hidden as its new class, in its frames', () => {
    const person = { id: 1, type_label: 'person', start: FRAME_S, end: 2 * FRAME_S } as const;
    const classes = [0, 1, 2].map(
      (index) => planned({ objects: [person], methods: { person: 'blacken' } }, index)[1],
    );
    expect(classes).toEqual([
      ['vehicle', 'blur'],
      ['person', 'blacken'],
      ['vehicle', 'blur'],
    ]);
  });
});

const stroke = (radius: number, ...points: readonly (readonly [number, number])[]): DrawnShape => ({
  shape: 'stroke',
  points,
  radius,
});
const BOUNDS = boxOf(40, 30, 80, 70);
const SHAPES: readonly (readonly [string, DrawnShape])[] = [
  ['a box', { shape: 'box', bbox: toBbox(BOUNDS) }],
  ['an ellipse', { shape: 'ellipse', bbox: toBbox(BOUNDS) }],
  ['a diagonal stroke', stroke(4, [44, 34], [76, 66])],
  ['a stroke along a line', stroke(20, [60, 50])],
  ['a bent stroke', stroke(4, [44, 34], [76, 34], [76, 66])],
];
/** Whether the drawn shape, moved by (dx, dy), contains a point. */
const contains = (shape: DrawnShape, x: number, y: number): boolean => {
  if (shape.shape === 'box') return x >= BOUNDS.x1 && x <= BOUNDS.x2 && y >= BOUNDS.y1 && y <= BOUNDS.y2;
  if (shape.shape !== 'stroke') return ((x - 60) / 20) ** 2 + ((y - 50) / 20) ** 2 <= 1;
  return shape.points.some(([bx, by], i) => {
    const [ax, ay] = shape.points[i - 1] ?? [bx, by];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const share =
      length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    return Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)) <= shape.radius;
  });
};
const moved = ({ x1, y1, x2, y2 }: Box, dx: number, dy: number): Box => ({
  x1: x1 + dx,
  y1: y1 + dy,
  x2: x2 + dx,
  y2: y2 + dy,
});
const drawnAs = (shape: DrawnShape, method?: AreaEdit['method']): AreaEdit => ({
  ...shape,
  type_label: 'license-plate',
  ...(method && { method }),
});
/** Cover of a frame that contains only this area. */
const coverAt = (shape: DrawnShape, place: Omit<DrawnPlace, 'area'>): Uint8Array =>
  coverOf(
    editFrame(
      frameAt(0),
      { regions: [], places: [{ ...place, area: drawnAs(shape) }] },
      { options: OPTIONS, edits: {} },
    ),
  );
/** Pixels of a moved shape that the plan leaves visible. */
const missed = (shape: DrawnShape, place: Omit<DrawnPlace, 'area'>, dx: number, dy: number): number => {
  const cover = coverAt(shape, place);
  let count = 0;
  for (let y = 0; y < SIZE.height; y++) {
    for (let x = 0; x < SIZE.width; x++) {
      if (contains(shape, x + 0.5 - dx, y + 0.5 - dy) && cover[y * SIZE.width + x] !== 255) count++;
    }
  }
  return count;
};

describe('a drawn area in a frame', () => {
  it.each(SHAPES)('hides all of %s on the frame on which it was drawn', (_name, shape) => {
    expect(missed(shape, { box: BOUNDS, seen: BOUNDS }, 0, 0)).toBe(0);
  });

  it.each(SHAPES)(
    'hides all of %s anywhere between its last place and its expected place',
    (_name, shape) => {
      for (const [dx, dy] of [
        [12, 0],
        [0, 12],
        [15, 10],
        [-16, 16],
      ] as const) {
        const seen = moved(BOUNDS, 10, 5);
        const there = moved(seen, dx, dy);
        const box = growBox(
          {
            x1: Math.min(seen.x1, there.x1),
            y1: Math.min(seen.y1, there.y1),
            x2: Math.max(seen.x2, there.x2),
            y2: Math.max(seen.y2, there.y2),
          },
          0.05,
        );
        for (const share of [0, 0.5, 1]) {
          expect(missed(shape, { box, seen }, 10 + share * dx, 5 + share * dy), `${dx}, ${dy}`).toBe(0);
        }
      }
    },
  );

  it.each(SHAPES)('hides all of %s that is partly outside of the frame', (_name, shape) => {
    for (const [dx, dy] of [
      [-60, 0],
      [100, 20],
      [0, -50],
    ] as const) {
      const there = moved(BOUNDS, dx, dy);
      expect(missed(shape, { box: there, seen: there }, dx, dy)).toBe(0);
    }
  });

  it.each(SHAPES)('scales %s with its content', (_name, shape) => {
    const twice = boxOf(40, 30, 120, 110);
    const cover = coverAt(shape, { box: twice, seen: twice });
    for (let y = 30; y < 110; y++) {
      for (let x = 40; x < 120; x++) {
        if (contains(shape, 40 + (x + 0.5 - 40) / 2, 30 + (y + 0.5 - 30) / 2)) {
          expect(cover[y * SIZE.width + x], `${x}, ${y}`).toBe(255);
        }
      }
    }
  });

  it('hides less than its box if it is an ellipse or a stroke', () => {
    const visible = SHAPES.map(([, shape]) => {
      const cover = coverAt(shape, { box: BOUNDS, seen: BOUNDS });
      return cover[72 * SIZE.width + 30] === 0;
    });
    expect(visible.slice(0, 3)).toEqual([false, true, true]);
  });

  it('has its own method', () => {
    const place = {
      box: BOUNDS,
      seen: BOUNDS,
      area: drawnAs({ shape: 'ellipse', bbox: toBbox(BOUNDS) }, 'blacken'),
    };
    expect(edited({}, [place]).regions.at(-1)).toMatchObject({ method: 'blacken', featherPx: 0 });
  });

  it('hides nothing outside of the frame', () => {
    for (const [, shape] of SHAPES) {
      const there = moved(BOUNDS, 900, 0);
      expect(edited({}, [{ box: there, seen: there, area: drawnAs(shape) }]).regions).toHaveLength(2);
    }
  });
});

describe('in a panorama', () => {
  const around = defaultImageOptions({ method: 'blur', format: { kind: 'pano', width: 0 } });
  const SEAM = boxOf(140, 40, 190, 80);
  const columnsOf = (edits: Edits, places: readonly DrawnPlace[], at: readonly PlannedRegion[] = []) => {
    const cover = coverOf(editFrame(frameAt(0), { regions: at, places }, { options: around, edits }));
    return (x: number) => cover[60 * SIZE.width + x];
  };

  it.each([0, -SIZE.width, SIZE.width])(
    'an area over the seam is hidden at both edges, turned by %i',
    (turn) => {
      const there = moved(SEAM, turn, 0);
      const area = drawnAs({ shape: 'box', bbox: toBbox(SEAM) });
      const at = columnsOf({}, [{ box: there, seen: there, area }]);
      expect([at(141), at(159), at(0), at(28), at(80)]).toEqual([255, 255, 255, 255, 0]);
    },
  );

  it('a track at the seam is one that is moved, not its two parts', () => {
    const parts = splitAtSeam(found('vehicle', SEAM), SIZE.width);
    const both = planFor(SIZE, parts, around).regions.map((region) => ({ ...region, trackId: 0 }));
    const place = { id: 0, found: toBbox(SEAM), bbox: toBbox(moved(SEAM, 15, 0)) } as const;
    const at = columnsOf({ objects: [place] }, [], both);
    expect([at(140), at(159), at(0), at(40)]).toEqual([0, 255, 255, 255]);
  });
});

describe('the track of a subject', () => {
  const track = { trackId: 0, confidence: 0.8, ranges: [{ fromUs: FRAME_US, untilUs: 3 * FRAME_US }] };
  const shownAt = (index: number, edits: Edits = {}) =>
    editFrame(
      frameAt(index),
      { regions, places: [] },
      { options: OPTIONS, edits, shownTracks: [track] },
    ).regions.map(({ shown }) => shown);

  it('is visible only in frames that lie between agreeing ones', () => {
    expect([0, 1, 2, 3].map((index) => shownAt(index)[0])).toEqual([undefined, 0.8, 0.8, undefined]);
    expect(shownAt(1)[1]).toBeUndefined();
  });

  it('stays hidden if the edits hide it', () => {
    expect(shownAt(1, { objects: [{ id: 0, hidden: true }] })[0]).toBeUndefined();
  });

  it('is visible with its body, unless the edits hide the body', () => {
    const body = found('person', boxOf(10, 10, 60, 110));
    const both = planFor(SIZE, [found('face', FACE), body]).regions.map((region, trackId) => ({
      ...region,
      trackId,
    }));
    const shownWith = (objects: NonNullable<Edits['objects']>) =>
      editFrame(
        frameAt(1),
        { regions: both, places: [] },
        { options: OPTIONS, edits: { objects }, shownTracks: [track] },
      ).regions.map(({ shown }) => shown);
    expect(shownWith([])).toEqual([0.8, 0.8]);
    expect(shownWith([{ id: 1, hidden: true }])).toEqual([undefined, undefined]);
  });
});
