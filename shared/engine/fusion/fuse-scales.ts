import { boxArea, intersectionArea, iou, type Box } from '../../domain/boxes';
import type { Letterbox } from '../pixels/letterbox';
import { SCALE_FUSION } from './fusion-limits';
import type { Found } from './merge';

/** The detections of one pass over an image, or over a window of it; raw scores, boxes in image px. */
export interface ScaleDetections {
  readonly fit: Letterbox;
  readonly found: readonly Found[];
}

/** One object and the best detection of each pass that found it. */
interface Cluster {
  readonly best: Found;
  readonly byPass: Map<number, Found>;
}

const viewOf = ({ tile }: Letterbox): Box => ({
  x1: tile.x,
  y1: tile.y,
  x2: tile.x + tile.width,
  y2: tile.y + tile.height,
});

/** IoU of a box with a cluster's best box; 0 without computing it if they do not overlap horizontally. */
const overlapWith = ({ best }: Cluster, box: Box): number =>
  box.x1 >= best.box.x2 || box.x2 <= best.box.x1 ? 0 : iou(best.box, box);

/** Clusters detections by object, the best scores first; each pass contributes at most one detection. */
const cluster = (passes: readonly ScaleDetections[]): Cluster[] => {
  const bestFirst = passes
    .flatMap(({ found }, pass) => found.map((one) => ({ pass, one })))
    .sort((a, b) => b.one.score - a.one.score);
  const clusters: Cluster[] = [];
  for (const { pass, one } of bestFirst) {
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

const meanBox = (found: readonly Found[]): Box => {
  const total = found.reduce((sum, { score }) => sum + score ** 2, 0);
  const edge = (side: 'x1' | 'y1' | 'x2' | 'y2'): number =>
    found.reduce((sum, { score, box }) => sum + score ** 2 * box[side], 0) / total;
  return { x1: edge('x1'), y1: edge('y1'), x2: edge('x2'), y2: edge('y2') };
};

/** @param views of the passes, in their order */
const fuse = (
  { best, byPass }: Cluster,
  passes: readonly ScaleDetections[],
  views: readonly Box[],
): Found => {
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
export const fuseScales = (passes: readonly ScaleDetections[]): Found[] => {
  const views = passes.map(({ fit }) => viewOf(fit));
  return cluster(passes).map((one) => fuse(one, passes, views));
};
