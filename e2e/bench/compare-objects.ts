/** How the objects that two backends find in the same images differ. */
import type { Found } from './job';

type One = Found[number];

/** Sides further apart belong to different objects. */
const SAME_PX = 1;

export interface Difference {
  /** Pairs of one class with all sides within a pixel. */
  readonly same: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Largest of all pairs, in px. */
  readonly sidePx: number;
  readonly score: number;
}

const distance = (a: One, b: One): number =>
  a.objectClass === b.objectClass
    ? Math.max(...(['x1', 'y1', 'x2', 'y2'] as const).map((side) => Math.abs(a.box[side] - b.box[side])))
    : Number.POSITIVE_INFINITY;

/**
 * Pairs each object with the nearest one that is left.
 *
 * @param first what one backend found in each image; `second`: what the other found, in the same order
 */
export const compareObjects = (first: readonly Found[], second: readonly Found[]): Difference => {
  let [same, onlyFirst, onlySecond, sidePx, score] = [0, 0, 0, 0, 0];
  first.forEach((objects, image) => {
    const left = new Set(second[image]);
    for (const one of objects) {
      const [nearest] = [...left].sort((a, b) => distance(one, a) - distance(one, b));
      if (!nearest || distance(one, nearest) > SAME_PX) {
        onlyFirst++;
        continue;
      }
      left.delete(nearest);
      same++;
      sidePx = Math.max(sidePx, distance(one, nearest));
      score = Math.max(score, Math.abs((one.score ?? 0) - (nearest.score ?? 0)));
    }
    onlySecond += left.size;
  });
  return { same, onlyFirst, onlySecond, sidePx, score };
};
