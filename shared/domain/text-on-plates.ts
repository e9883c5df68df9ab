import { boxArea, intersectionArea } from './boxes';
import type { Expected } from './detection';

/** Share of a text's box in a plate's from which it is the text of that plate. */
const ON_PLATE_SHARE = 0.6;

/**
 * Objects without the text on plates, so that a plate is one object.
 *
 * @param isHidden whether a plate is hidden with its text; other plates count as text
 */
export const withoutTextOnPlates = <T extends Expected>(
  objects: readonly T[],
  isHidden: (plate: T) => boolean,
): T[] => {
  const plates = objects.filter((one) => one.objectClass === 'license-plate' && isHidden(one));
  const isOnPlate = ({ box }: T): boolean =>
    plates.some((plate) => intersectionArea(plate.box, box) >= ON_PLATE_SHARE * boxArea(box));
  return objects.filter((one) => one.objectClass !== 'text' || !isOnPlate(one));
};
