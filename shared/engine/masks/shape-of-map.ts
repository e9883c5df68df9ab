import { boxHeight, boxWidth, clipBox, growBox, outerPixels } from '../../domain/boxes';
import type { Detection, DetectorMask } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import { coverByMaps, type ProbabilityMap } from './cover-by-maps';
import type { Shape } from '../../domain/plan';
import { DETECTOR_MASK_THRESHOLD, MAP_RULES } from './mask-limits';
import { countCovered, encodeRuns } from '../pixels/runs';

/**
 * Makes the shape of an object from its probability maps: all pixels that reach the threshold in at least one of them.
 *
 * @param threshold probability from which a pixel is the object's
 * @returns undefined if it fills too little of the box: then the default shape of the class hides more
 */
export const shapeOfMaps = (
  maps: readonly ProbabilityMap[],
  detection: Pick<Detection, 'box'>,
  threshold: number,
  { width, height }: Size,
): Shape | undefined => {
  const box = outerPixels(clipBox(growBox(detection.box, MAP_RULES.reach), width, height));
  const mask = new Uint8Array(boxWidth(box) * boxHeight(box));
  const cover = (from: number, to: number): void => void mask.fill(1, from, to);
  for (const map of maps) coverByMaps([map], box, threshold, cover);
  const runs = encodeRuns(mask);
  return countCovered(runs) < MAP_RULES.minFilled * mask.length ? undefined : { kind: 'runs', box, runs };
};

/**
 * Makes the shape of a detection from its own masks.
 *
 * @returns undefined if there are none, or if they fill too little of the box
 */
export const shapeOfMasks = (detection: Detection, size: Size): Shape | undefined =>
  detection.masks && shapeOfMaps(detection.masks.map(mapOf), detection, DETECTOR_MASK_THRESHOLD, size);

const mapOf = ({ data, columns, rows, x, y, scaleX, scaleY }: DetectorMask): ProbabilityMap => ({
  data,
  fit: {
    tile: { x, y, width: columns / scaleX, height: rows / scaleY, wraps: false },
    scaleX,
    scaleY,
    netWidth: columns,
    netHeight: rows,
  },
});
