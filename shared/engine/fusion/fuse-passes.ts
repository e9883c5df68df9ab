import { boxArea, intersectionArea, iou, type Box } from '../../domain/boxes';
import type { DetectorMask } from '../../domain/detection';
import type { Letterbox } from '../pixels/letterbox';
import { PASS_FUSION, SCALE_FUSION } from './fusion-limits';
import { isCut, type TileDetection } from './merge';
import { CLASS_RULES } from '../../catalogue/class-rules';
import { OBJECT_CLASSES, type ObjectClass } from '../../catalogue/classes';
import { boxOfTile, type Tile } from '../pixels/tile';

/** One object and the best detection of each pass that found it. */
interface Cluster {
  readonly best: TileDetection;
  readonly byPass: Map<number, TileDetection>;
}

/** IoU of a box with a cluster's best box; 0 without computing it if they do not overlap horizontally. */
const overlapWith = ({ best }: Cluster, box: Box): number =>
  box.x1 >= best.box.x2 || box.x2 <= best.box.x1 ? 0 : iou(best.box, box);

/** Clusters detections by object, the best scores first; each pass contributes at most one detection. */
const cluster = (passes: readonly ScaleDetections[]): Cluster[] => {
  const clusters: Cluster[] = [];
  for (const { pass, one } of bestFirst(passes)) {
    let nearest: Cluster | undefined;
    let nearestOverlap: number = SCALE_FUSION.iou;
    for (const known of clusters) {
      const overlap = overlapWith(known, one.box);
      if (overlap < nearestOverlap) continue;
      nearest = known;
      nearestOverlap = overlap;
    }
    if (!nearest) clusters.push({ best: one, byPass: new Map([[pass, one]]) });
    else if (!nearest.byPass.has(pass)) nearest.byPass.set(pass, one);
  }
  return clusters;
};

const detectsReliably = ({ fit }: ScaleDetections, view: Box, box: Box): boolean => {
  const sidePx = Math.sqrt(boxArea(box) * fit.scaleX * fit.scaleY);
  if (sidePx < SCALE_FUSION.reliablePx.min || sidePx > SCALE_FUSION.reliablePx.max) return false;
  return intersectionArea(box, view) >= SCALE_FUSION.minVisibleShare * boxArea(box);
};

const meanBox = (found: readonly TileDetection[]): Box => ({
  x1: meanEdge(found, 'x1'),
  y1: meanEdge(found, 'y1'),
  x2: meanEdge(found, 'x2'),
  y2: meanEdge(found, 'y2'),
});

/** @param views of the passes, in their order */
const fuse = (
  { best, byPass }: Cluster,
  passes: readonly ScaleDetections[],
  views: readonly Box[],
): TileDetection => {
  const voters = passes
    .map((_, index) => index)
    .filter((index) => detectsReliably(passes[index] as ScaleDetections, views[index] as Box, best.box));
  const seen = voters.flatMap((index) => byPass.get(index) ?? []);
  // If no pass is reliable at this size, all passes that detected the object count.
  const trusted = seen.length > 0 ? seen : [...byPass.values()];
  const count = voters.length > 0 ? voters.length : byPass.size;
  const score = (voters.length > 0 ? seen : trusted).reduce((sum, one) => sum + one.score, 0) / count;
  return { ...best, score, box: meanBox(trusted) };
};

/**
 * Makes one detection of each object that several passes found.
 *
 * Its score is the mean over all passes that detect objects of this size reliably, with 0 for those that found nothing.
 * False detections rarely appear at several scales, and a pass at which the object is too small does not count. Its box
 * is the mean of theirs by the square of their scores (weighted box fusion).
 *
 * @param passes with detections down to low scores; boxes may cross a panorama's seam
 * @returns detections with any score, ordered by the best score of a pass
 * @see Solovyev et al. 2021, arXiv:1910.13302
 */
export const fuseScales = (passes: readonly ScaleDetections[]): TileDetection[] => {
  const views = passes.map(({ fit }) => boxOfTile(fit.tile));
  return cluster(passes).map((one) => fuse(one, passes, views));
};

/** The detections of one pass over an image, or over a window of it; raw scores, boxes in image px. */
export interface ScaleDetections {
  readonly fit: Letterbox;
  readonly found: readonly TileDetection[];
}

/** The same with the tile of the pass, or the tile that contains its window. */
export interface PassDetections extends ScaleDetections {
  readonly tile: Tile;
}

/** All detections with the number of their pass, best scores first. */
const bestFirst = (
  passes: readonly ScaleDetections[],
): readonly { readonly pass: number; readonly one: TileDetection }[] =>
  passes
    .flatMap(({ found }, pass) => found.map((one) => ({ pass, one })))
    .sort((a, b) => b.one.score - a.one.score);

/** The mean of one edge of boxes, weighted by the squares of the scores. */
const meanEdge = (found: readonly TileDetection[], side: 'x1' | 'y1' | 'x2' | 'y2'): number =>
  found.reduce((sum, { score, box }) => sum + score ** 2 * box[side], 0) /
  found.reduce((sum, { score }) => sum + score ** 2, 0);

/** Minimum score for each class. */
type MinScores = Readonly<Partial<Record<ObjectClass, number>>>;

const isFused = (name: ObjectClass): boolean => CLASS_RULES[name].fusion !== undefined;

/**
 * Minimum scores for single passes, so that they can confirm each other.
 *
 * @param min minimum scores of the objects
 */
export const minForFusion = (min: MinScores): MinScores =>
  Object.fromEntries(
    Object.entries(min).map(([name, score]) => [
      name,
      isFused(name as ObjectClass) ? score * PASS_FUSION.confirmingShare : score,
    ]),
  );

/** The detections of one object in several passes. */
interface PassCluster {
  /** Its detection by pass number; the first entry has the best score. */
  readonly byPass: Map<number, TileDetection>;
  /**
   * Masks of all its detections: two persons who stand close may be one box, and the mask of one would leave the other
   * visible.
   */
  readonly masks: DetectorMask[];
}

const isInView = (box: Box, { tile }: Letterbox, width: number): boolean => {
  const view = boxOfTile(tile);
  const shown = intersectionArea(box, view);
  const shownBehindSeam = tile.wraps
    ? intersectionArea({ ...box, x1: box.x1 + width, x2: box.x2 + width }, view)
    : 0;
  return shown + shownBehindSeam >= PASS_FUSION.minVisibleShare * boxArea(box);
};

const couldDetect = (fit: Letterbox, { objectClass, box }: TileDetection, width: number): boolean => {
  const sizePx = Math.sqrt(boxArea(box) * fit.scaleX * fit.scaleY);
  return sizePx >= (CLASS_RULES[objectClass].fusion?.minReliablePx ?? 0) && isInView(box, fit, width);
};

/** Groups detections by object: the best score of all first, and from each pass the detection that fits best. */
const clusterByObject = (
  passes: readonly PassDetections[],
  objectClass: ObjectClass,
  min: number,
): PassCluster[] => {
  const objects: { readonly box: Box; readonly seen: PassCluster }[] = [];
  for (const { pass, one } of bestFirst(passes)) {
    if (one.objectClass !== objectClass || isCut(one)) continue;
    const [known] = objects
      .map(({ box, seen }) => ({ seen, overlap: iou(box, one.box) }))
      .filter(({ overlap }) => overlap >= PASS_FUSION.iou)
      .sort((a, b) => b.overlap - a.overlap);
    if (!known) {
      const seen = { byPass: new Map([[pass, one]]), masks: [...(one.masks ?? [])] };
      if (one.score >= min) objects.push({ box: one.box, seen });
      continue;
    }
    const isFirst = !known.seen.byPass.has(pass);
    if (isFirst) known.seen.byPass.set(pass, one);
    if (isFirst || one.score >= min) known.seen.masks.push(...(one.masks ?? []));
  }
  return objects.map(({ seen }) => seen);
};

/**
 * The fused box: half-way between the mean of the edges, weighted by the squares of the scores, and the outermost
 * edges. The mean is closest to the object, but cuts off on one side as often as it is too wide on another.
 */
const fusedBox = (found: readonly TileDetection[]): Box => {
  if (found.length === 1) return (found[0] as TileDetection).box;
  const edge = (side: 'x1' | 'y1' | 'x2' | 'y2', outermost: (...edges: number[]) => number): number =>
    (meanEdge(found, side) + outermost(...found.map(({ box }) => box[side]))) / 2;
  const { min, max } = Math;
  return { x1: edge('x1', min), y1: edge('y1', min), x2: edge('x2', max), y2: edge('y2', max) };
};

const fuseCluster = (
  { byPass: seen, masks }: PassCluster,
  passes: readonly PassDetections[],
  width: number,
): TileDetection => {
  const found = [...seen.values()];
  const [best] = found as [TileDetection];
  const ofPasses = passes.filter(({ fit }, pass) => seen.has(pass) || couldDetect(fit, best, width));
  const mean = found.reduce((sum, { score }) => sum + score, 0) / ofPasses.length;
  const score = (best.score + mean) / 2;
  return masks.length > 0 ? { ...best, score, masks } : { ...best, score, box: fusedBox(found) };
};

const fuseClass = (
  passes: readonly PassDetections[],
  objectClass: ObjectClass,
  min: number | undefined,
  width: number,
): TileDetection[] =>
  min === undefined
    ? []
    : clusterByObject(passes, objectClass, min)
        .map((seen) => fuseCluster(seen, passes, width))
        .filter(({ score }) => score >= min);

/**
 * Fuses the detections of one person or vehicle in several passes over a tile.
 *
 * The score is the mean of the best score and of the mean over all passes that could have detected the object. A
 * detection that another scale does not confirm therefore needs a higher score, and a single pass counts as it is. The
 * box is fused from all (after weighted box fusion), wider than their mean. If detections have masks, all masks are
 * kept with the box of the best score.
 *
 * @param min minimum scores, on the same scale as the detections'
 * @param width of the image, px
 * @returns fused detections with enough score; pieces cut by tiles and all other classes unchanged
 * @see Solovyev et al. 2021, arXiv:1910.13302
 */
export const fusePasses = (
  passes: readonly PassDetections[],
  min: MinScores,
  width: number,
): TileDetection[] => {
  const unchanged = passes
    .flatMap(({ found }) => found)
    .filter((one) => isCut(one) || !isFused(one.objectClass))
    .filter(({ objectClass, score }) => score >= (min[objectClass] ?? 0));
  const tiles = [...new Set(passes.map(({ tile }) => tile))];
  const fused = tiles.flatMap((tile) => {
    const ofTile = passes.filter((pass) => pass.tile === tile);
    return OBJECT_CLASSES.filter(isFused).flatMap((objectClass) =>
      fuseClass(ofTile, objectClass, min[objectClass], width),
    );
  });
  return [...fused, ...unchanged];
};
