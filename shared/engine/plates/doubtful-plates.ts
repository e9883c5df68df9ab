import { type Box, boxHeight, boxWidth, intersectionOverSmaller } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import type { TileDetection } from '../fusion/merge';

/** Minimum width and height of a vehicle whose plate should be visible, in image px. */
const MIN_VEHICLE_PX = 48;
/** Maximum width ÷ height of a vehicle whose front or back is in view: from the side, cars are wider. */
const MAX_ASPECT = 1.5;
/** Where plates are on most vehicles, as shares of the vehicle's box. */
const USUAL_PLACE = { left: 0.25, right: 0.75, top: 0.5, bottom: 0.95 } as const;
/** Distance of the result's score below the threshold: near enough for the list of uncertain objects (decision 39). */
const BELOW_THRESHOLD = 0.1;
/** Share of a plate that lies on its vehicle. */
const ON_VEHICLE_SHARE = 0.6;

const showsAnEnd = (vehicle: Box): boolean =>
  Math.min(boxWidth(vehicle), boxHeight(vehicle)) >= MIN_VEHICLE_PX &&
  boxWidth(vehicle) <= MAX_ASPECT * boxHeight(vehicle);

const usualPlaceOn = (vehicle: Box): Box => ({
  x1: vehicle.x1 + USUAL_PLACE.left * boxWidth(vehicle),
  y1: vehicle.y1 + USUAL_PLACE.top * boxHeight(vehicle),
  x2: vehicle.x1 + USUAL_PLACE.right * boxWidth(vehicle),
  y2: vehicle.y1 + USUAL_PLACE.bottom * boxHeight(vehicle),
});

/**
 * Candidates for plates of vehicles on which none was found, although the front or back seems to be in view: a person
 * should look there.
 *
 * @param plates all candidates, also weak ones, which are to be looked at themselves
 * @param threshold of plates
 */
export const doubtfulPlates = (
  vehicles: readonly Detection[],
  plates: readonly TileDetection[],
  threshold: number,
): TileDetection[] => {
  const score = threshold - BELOW_THRESHOLD;
  const listed = plates.filter((plate) => plate.score >= score);
  const isWithoutPlate = ({ box }: Detection): boolean =>
    !listed.some((plate) => intersectionOverSmaller(plate.box, box) > ON_VEHICLE_SHARE);
  return vehicles
    .filter((vehicle) => showsAnEnd(vehicle.box) && isWithoutPlate(vehicle))
    .map(({ box }) => ({
      objectClass: 'license-plate',
      score,
      box: usualPlaceOn(box),
      cut: { x: false, y: false },
    }));
};
