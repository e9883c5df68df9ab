import { boxHeight, boxWidth, clipBox, growBox, outerPixels } from '../../domain/boxes';
import { coverByMaps } from './cover-by-maps';
import type { Detection } from '../../domain/detection';
import type { Outline } from '../../domain/outline';
import type { Shape } from '../../domain/plan';
import type { Size } from '../../domain/size';
import type { ProbabilityMap } from './probability-map';
import { countCovered, encodeRuns } from '../pixels/runs';

/** The mask may reach this far out of the box: boxes cut hands, feet and mirrors. */
const REACH = 0.04;
/** Below this filled share of the box the network outlined a part: a coat, a door. */
const MIN_FILLED = 0.35;
/** From which an outline is told that comes with a box: where networks of the kind are trained to have it. */
const OUTLINE_THRESHOLD = 0.5;

/**
 * The shape that networks' maps of a single object give: what one of them takes for its.
 *
 * @param threshold probability from which a pixel is the object's
 * @returns undefined where it fills too little of the box: the class's plain shape hides more then
 */
export const shapeOfMaps = (
  maps: readonly ProbabilityMap[],
  detection: Pick<Detection, 'box'>,
  threshold: number,
  { width, height }: Size,
): Shape | undefined => {
  const box = outerPixels(clipBox(growBox(detection.box, REACH), width, height));
  const mask = new Uint8Array(boxWidth(box) * boxHeight(box));
  for (const map of maps) coverByMaps([map], box, threshold, mask);
  const runs = encodeRuns(mask);
  return countCovered(runs) < MIN_FILLED * mask.length ? undefined : { kind: 'runs', box, runs };
};

/**
 * The shape by the outlines that a detection came with.
 *
 * @returns undefined where it came with none, or where they fill too little of its box
 */
export const shapeOfOutlines = (detection: Detection, picture: Size): Shape | undefined =>
  detection.outlines && shapeOfMaps(detection.outlines.map(mapOf), detection, OUTLINE_THRESHOLD, picture);

const mapOf = ({ data, columns, rows, x, y, scaleX, scaleY }: Outline): ProbabilityMap => ({
  data,
  fit: {
    tile: { x, y, width: columns / scaleX, height: rows / scaleY, wraps: false },
    scaleX,
    scaleY,
    netWidth: columns,
    netHeight: rows,
  },
});
