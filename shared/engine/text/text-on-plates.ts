import { boxArea, intersectionArea } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import { thresholdIn, type ImageOptions } from '../../domain/options';

/** Share of a text's box in a plate's from which it is the text of that plate. */
const ON_PLATE_SHARE = 0.6;

/**
 * Drops text on plates that are hidden, so that a plate is reported once.
 *
 * Text on a plate below its threshold stays, because nothing else would hide it.
 */
export const withoutTextOnPlates = <T extends Detection>(
  detections: readonly T[],
  { classes, thresholds }: Pick<ImageOptions, 'classes' | 'thresholds'>,
): T[] => {
  if (!classes.includes('text')) return [...detections];
  const plates = detections.filter(
    ({ objectClass, score }) =>
      objectClass === 'license-plate' && score >= thresholdIn(thresholds, 'license-plate'),
  );
  const isOnPlate = ({ box }: Detection): boolean =>
    plates.some((plate) => intersectionArea(plate.box, box) >= ON_PLATE_SHARE * boxArea(box));
  return detections.filter((one) => one.objectClass !== 'text' || !isOnPlate(one));
};
