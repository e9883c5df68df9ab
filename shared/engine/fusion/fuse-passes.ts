import { boxArea, intersectionArea, iou, type Box } from '../../domain/boxes';
import type { Letterbox } from '../pixels/letterbox';
import type { Found } from './merge';
import type { ObjectClass } from '../../domain/object-class';
import type { Outline } from '../../domain/outline';
import type { Tile } from '../pixels/tile';

/** What a detector found when it looked at a tile, or at a part of it, at one scale; scores are the model's own. */
export interface PassDetections {
  readonly tile: Tile;
  readonly fit: Letterbox;
  readonly found: readonly Found[];
}

/** Lowest score per class. */
type MinScores = Readonly<Partial<Record<ObjectClass, number>>>;

/**
 * Classes whose detector sees most objects at each of its scales: one that only one scale shows is less likely to be
 * there. Small faces are seen at the largest scale alone, and plates are judged by another network.
 */
const JOINED: readonly ObjectClass[] = ['person', 'vehicle'];
/** Boxes of several looks that overlap so far are one object. */
const SAME_OBJECT_IOU = 0.55;
/** What scores at least this share of what is wanted says that another look was right. */
const CONFIRMING = 0.4;
/**
 * Roots of areas, in network px, below which a look often shows nothing of an object: it says nothing against it then. With
 * vehicles that lets more false ones pass than true ones.
 */
const MIN_SEEN_PX: Readonly<Partial<Record<ObjectClass, number>>> = { person: 10 };
/** A look whose tile holds so much of an object could have seen it. */
const IN_VIEW = 0.95;

/**
 * The scores that are wanted of single looks, so that they can confirm each other.
 *
 * @param min scores that are wanted of the objects
 */
export const minForFusion = (min: MinScores): MinScores =>
  Object.fromEntries(
    Object.entries(min).map(([name, score]) => [
      name,
      JOINED.includes(name as ObjectClass) ? score * CONFIRMING : score,
    ]),
  );

/** One object. */
interface Seen {
  /** How each look has seen it; its surest sighting comes first. */
  readonly byPass: Map<number, Found>;
  /** Of all that was taken for it: two that stand close are one box, and an outline of the one would show the other. */
  readonly outlines: Outline[];
}

const isCut = ({ cut }: Found): boolean => cut.x || cut.y;

const isInView = (box: Box, { tile }: Letterbox, width: number): boolean => {
  const view = { x1: tile.x, y1: tile.y, x2: tile.x + tile.width, y2: tile.y + tile.height };
  const shown = intersectionArea(box, view);
  const shownBehindSeam = tile.wraps
    ? intersectionArea({ ...box, x1: box.x1 + width, x2: box.x2 + width }, view)
    : 0;
  return shown + shownBehindSeam >= IN_VIEW * boxArea(box);
};

const couldSee = (fit: Letterbox, { objectClass, box }: Found, width: number): boolean => {
  const sizePx = Math.sqrt(boxArea(box) * fit.scaleX * fit.scaleY);
  return sizePx >= (MIN_SEEN_PX[objectClass] ?? 0) && isInView(box, fit, width);
};

/** Which sightings are of one object: the surest of all first, of each look the one that fits best. */
const sameObjects = (passes: readonly PassDetections[], objectClass: ObjectClass, min: number): Seen[] => {
  const bestFirst = passes
    .flatMap(({ found }, pass) => found.map((one) => ({ pass, one })))
    .filter(({ one }) => one.objectClass === objectClass && !isCut(one))
    .sort((a, b) => b.one.score - a.one.score);
  const objects: { readonly box: Box; readonly seen: Seen }[] = [];
  for (const { pass, one } of bestFirst) {
    const [known] = objects
      .map(({ box, seen }) => ({ seen, overlap: iou(box, one.box) }))
      .filter(({ overlap }) => overlap >= SAME_OBJECT_IOU)
      .sort((a, b) => b.overlap - a.overlap);
    if (!known) {
      const seen = { byPass: new Map([[pass, one]]), outlines: [...(one.outlines ?? [])] };
      if (one.score >= min) objects.push({ box: one.box, seen });
      continue;
    }
    const isFirst = !known.seen.byPass.has(pass);
    if (isFirst) known.seen.byPass.set(pass, one);
    if (isFirst || one.score >= min) known.seen.outlines.push(...(one.outlines ?? []));
  }
  return objects.map(({ seen }) => seen);
};

/**
 * Where looks see an object: half-way between the mean of their edges, each by the square of its score, and the
 * outermost. The mean is closest to the object, and cuts off on one side as often as it is too wide on another.
 */
const boxOfAll = (found: readonly Found[]): Box => {
  if (found.length === 1) return (found[0] as Found).box;
  const total = found.reduce((sum, { score }) => sum + score ** 2, 0);
  const edge = (side: 'x1' | 'y1' | 'x2' | 'y2', outermost: (...edges: number[]) => number): number => {
    const mean = found.reduce((sum, { score, box }) => sum + score ** 2 * box[side], 0) / total;
    return (mean + outermost(...found.map(({ box }) => box[side]))) / 2;
  };
  const { min, max } = Math;
  return { x1: edge('x1', min), y1: edge('y1', min), x2: edge('x2', max), y2: edge('y2', max) };
};

const joinSeen = (
  { byPass: seen, outlines }: Seen,
  passes: readonly PassDetections[],
  width: number,
): Found => {
  const found = [...seen.values()];
  const [best] = found as [Found];
  const ofPasses = passes.filter(({ fit }, pass) => seen.has(pass) || couldSee(fit, best, width));
  const mean = found.reduce((sum, { score }) => sum + score, 0) / ofPasses.length;
  const score = (best.score + mean) / 2;
  return outlines.length > 0 ? { ...best, score, outlines } : { ...best, score, box: boxOfAll(found) };
};

const joinClass = (
  passes: readonly PassDetections[],
  objectClass: ObjectClass,
  min: number | undefined,
  width: number,
): Found[] =>
  min === undefined
    ? []
    : sameObjects(passes, objectClass, min)
        .map((seen) => joinSeen(seen, passes, width))
        .filter(({ score }) => score >= min);

/**
 * Makes one of what several looks at a tile found of one person or vehicle.
 *
 * Its score is half of the surest look's and half of the mean over all that could have seen it, so that something
 * which one scale takes for a person and another for nothing has to be surer, and one look alone counts as it is. Its
 * box is put together from theirs (after weighted box fusion), wider than their mean. Where outlines say which pixels it
 * is, all of them stay, and the box of the surest.
 *
 * @param min scores that are wanted, on the scale of those that were found
 * @param width of the picture, px
 * @returns candidates that score enough, pieces that tiles cut and all other classes as they were
 * @see Solovyev et al. 2021, arXiv:1910.13302
 */
export const fuseScales = (passes: readonly PassDetections[], min: MinScores, width: number): Found[] => {
  const asSeen = passes
    .flatMap(({ found }) => found)
    .filter((one) => isCut(one) || !JOINED.includes(one.objectClass))
    .filter(({ objectClass, score }) => score >= (min[objectClass] ?? 0));
  const tiles = [...new Set(passes.map(({ tile }) => tile))];
  const joined = tiles.flatMap((tile) => {
    const ofTile = passes.filter((pass) => pass.tile === tile);
    return JOINED.flatMap((objectClass) => joinClass(ofTile, objectClass, min[objectClass], width));
  });
  return [...joined, ...asSeen];
};
