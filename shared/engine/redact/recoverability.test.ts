import { describe, expect, it } from 'vitest';
import { coverOf, redacted } from '../../testing/hidden';
import { BACKDROP, faceRaster, pasteRaster, plateRaster } from '../../testing/likenesses';
import { boxOf, found, planFor } from '../../testing/plans';
import { copyRaster, largestDifference, noiseRaster, plainRaster, seededRandom } from '../../testing/rasters';
import { createRecogniser } from '../../testing/recogniser';
import type { Box } from '../../domain/boxes';
import { RGBA, type Raster } from '../../domain/raster';
import { OBJECT_CLASSES } from '../../catalogue/classes';
import type { Method } from '../../catalogue/methods';

/** Bounds are stated with what was measured when they were set; a weaker method must not pass unseen. */
const IDENTITIES = 20;
const PHOTOS = 3;
const PROBES = IDENTITIES * PHOTOS;

const surrounded = (
  object: Raster,
  colour: readonly [number, number, number],
): { scene: Raster; box: Box } => {
  const margin = Math.min(object.width, object.height);
  const scene = plainRaster(object.width + 2 * margin, object.height + 2 * margin, colour);
  pasteRaster(scene, object, margin, margin);
  return { scene, box: boxOf(margin, margin, margin + object.width, margin + object.height) };
};

const pairs = <T>(items: readonly T[]): (readonly [T, T])[] =>
  items.flatMap((a, i) => items.slice(0, i).map((b) => [a, b] as const));

describe('one pixel of the source', () => {
  const size = { width: 60, height: 50 };
  const black = plainRaster(size.width, size.height, [0, 0, 0]);
  const sides = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 30];
  /** Inside, in corners, and partly outside. */
  const boxesOf = (width: number, height: number): Box[] => [
    boxOf(22, 12, 22 + width, 12 + height),
    boxOf(22.3, 12.8, 22.3 + width, 12.8 + height),
    boxOf(0, 0, width, height),
    boxOf(size.width - width, size.height - height, size.width + height, size.height + width),
  ];

  it.each(OBJECT_CLASSES)(
    'is one of 4 at least that make up a hidden pixel of a %s, of 16 from 4 px on',
    (objectClass) => {
      for (const method of ['blur', 'pixelate'] as const) {
        for (const side of sides) {
          for (const box of [...boxesOf(side, side), ...boxesOf(side, 1.5 * side)]) {
            const plan = planFor(size, [found(objectClass, box)], { method });
            const cover = coverOf(plan);
            const lit = copyRaster(black);
            const covered = [...cover.keys()].filter((i) => cover[i] === 255);
            const at = (covered[Math.floor(covered.length / 2)] as number) * RGBA;
            lit.data.fill(255, at, at + 3);
            const moved = largestDifference(
              black,
              redacted(lit, plan),
              (x, y) => cover[y * size.width + x] === 255,
            );
            const averaged = side < 4 ? 4 : 16;
            expect(moved, `${method} ${JSON.stringify(box)}`).toBeLessThanOrEqual(Math.round(255 / averaged));
          }
        }
      }
    },
  );
});

describe('two objects that have nothing in common', () => {
  it.each([
    ['blur', 32],
    ['pixelate', 48],
    ['blacken', 0],
  ] as const)('differ by little after %s: noise by at most %i of 255', (method, max) => {
    const size = { width: 90, height: 80 };
    const [a, b] = [noiseRaster(90, 80, 1), noiseRaster(90, 80, 2)];
    for (const objectClass of OBJECT_CLASSES) {
      const plan = planFor(size, [found(objectClass, boxOf(20, 15, 70, 65))], { method });
      const cover = coverOf(plan);
      const left = largestDifference(
        redacted(a, plan),
        redacted(b, plan),
        (x, y) => cover[y * 90 + x] === 255,
      );
      expect(left, objectClass).toBeLessThanOrEqual(max);
    }
  });
});

describe.each([16, 40])('a face of %i px', (sidePx) => {
  const faces = Array.from({ length: IDENTITIES }, (_, i) => surrounded(faceRaster(i, sidePx), BACKDROP));
  const { scene, box } = faces[0]!;
  const gallery = faces.map((face) => face.scene);
  const random = seededRandom(5);
  const about = (max: number): number => (random() * 2 - 1) * max;
  const probes = Array.from({ length: PROBES }, (_, i) => {
    const conditions = { noise: 10, sideLight: about(30), shiftX: about(0.03), shiftY: about(0.03) };
    const photo = faceRaster(i % IDENTITIES, sidePx, conditions, i + 1);
    return surrounded(photo, BACKDROP).scene;
  });
  const planOf = (method: Method) => planFor(scene, [found('face', box)], { method });
  /** How many photos a recogniser names rightly. */
  const recognised = (known: readonly Raster[], seen: readonly Raster[]): number => {
    const recognise = createRecogniser(known, box);
    return seen.filter((one, i) => recognise(one) === i % IDENTITIES).length;
  };

  it('is recognised in each photo if it is not hidden', () => {
    expect(recognised(gallery, probes)).toBe(PROBES);
    const untouched = pairs(gallery).map(([a, b]) => largestDifference(a, b));
    expect(Math.min(...untouched)).toBeGreaterThan(70);
  });

  it.each([
    ['blur', 30],
    ['pixelate', 24],
    ['blacken', 0],
  ] as const)('differs from any other face by little after %s: at most %i of 255', (method, max) => {
    const plan = planOf(method);
    const hidden = gallery.map((one) => redacted(one, plan));
    expect(Math.max(...pairs(hidden).map(([a, b]) => largestDifference(a, b)))).toBeLessThanOrEqual(max);
  });

  /* Chance names 3 of 60. */
  it.each([
    ['blur', 16],
    ['pixelate', 21],
    ['blacken', 3],
  ] as const)(
    'is hardly recognised from open photos of twenty faces after %s: at most %i of 60',
    (method, max) => {
      const plan = planOf(method);
      expect(
        recognised(
          gallery,
          probes.map((one) => redacted(one, plan)),
        ),
      ).toBeLessThanOrEqual(max);
    },
  );

  /* Averages of a few cells still tell twenty faces apart for who hides all twenty in the same way. */
  it.each([
    ['blur', 34],
    ['pixelate', 29],
    ['blacken', 3],
  ] as const)(
    'can be told by who hides the twenty alike, knowing pose and place, after %s: at most %i of 60',
    (method, max) => {
      const plan = planOf(method);
      const hidden = [gallery, probes].map((list) => list.map((one) => redacted(one, plan))) as [
        Raster[],
        Raster[],
      ];
      expect(recognised(...hidden)).toBeLessThanOrEqual(max);
    },
  );
});

describe.each([1, 2, 4])('a plate in characters %i× the smallest that can be read', (scale) => {
  const random = seededRandom(3);
  const letters = '0123456789aceflnprstv';
  const texts = Array.from({ length: 12 }, () =>
    Array.from({ length: 7 }, () => letters[Math.floor(random() * letters.length)]).join(''),
  );
  const plates = texts.map((text) => surrounded(plateRaster(text, scale), [90, 90, 120]));
  const { scene, box } = plates[0]!;
  /** Where characters were, without the rim, beyond which the car shows through in every method. */
  const text = boxOf(box.x1 + 2 * scale, box.y1 + 2 * scale, box.x2 - 2 * scale, box.y2 - 2 * scale);
  /** Largest step between the pixels of one row of characters. */
  const contrast = (raster: Raster): number => {
    let largest = 0;
    for (let y = text.y1; y < text.y2; y++) {
      const row = Array.from(
        { length: text.x2 - text.x1 },
        (_, i) => raster.data[(y * raster.width + text.x1 + i) * RGBA + 1] as number,
      );
      largest = Math.max(largest, Math.max(...row) - Math.min(...row));
    }
    return largest;
  };

  it('has strokes with a contrast of 215 of 255 if it is not hidden', () => {
    expect(contrast(scene)).toBe(215);
  });

  it.each([
    ['blur', 10],
    ['pixelate', 28],
    ['blacken', 0],
  ] as const)('has no strokes left after %s: at most %i of 255 across it', (method, max) => {
    const plan = planFor(scene, [found('license-plate', box)], { method });
    for (const plate of plates) expect(contrast(redacted(plate.scene, plan))).toBeLessThanOrEqual(max);
  });

  it.each([
    ['blur', 12],
    ['pixelate', 22],
    ['blacken', 0],
  ] as const)('differs from any other plate by little after %s: at most %i of 255', (method, max) => {
    const plan = planFor(scene, [found('license-plate', box)], { method });
    const hidden = plates.map((plate) => redacted(plate.scene, plan));
    expect(Math.max(...pairs(hidden).map(([a, b]) => largestDifference(a, b)))).toBeLessThanOrEqual(max);
  });
});
