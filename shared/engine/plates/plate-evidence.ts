import { type Box, boxArea, boxHeight, boxWidth, clipBox, intersectionArea } from '../../domain/boxes';
import { type Corners, cornerBounds } from '../../domain/detection';
import type { EvidenceWeights, PlateEvidence, PlateScores } from '../../domain/manifest';
import type { Size } from '../../domain/raster';

/** Weights for a network without weights in the manifest: the probability is then the mean score. */
export const MEAN_SCORE_WEIGHTS: EvidenceWeights = {
  ...{ bias: 0, logOdds: 1, spread: 0, isProposed: 0, above: 0, width: 0 },
};

/** Minimum share of a plate's area on a vehicle for it to be that vehicle's. */
const ON_VEHICLE_SHARE = 0.6;
/** Width as a share of the vehicle's that is assumed for a plate on no vehicle: the usual one. */
const USUAL_WIDTH = 0.25;
/** Maximum score of a pass, so that log odds stay finite. */
const MAX_CONFIDENCE = 0.999;
/** Minimum spread, in plate heights: the accuracy of the training labels. */
const MIN_SPREAD = 0.02;

const endHeights = ([upperLeft, upperRight, lowerRight, lowerLeft]: Corners): number[] => [
  Math.hypot(lowerLeft[0] - upperLeft[0], lowerLeft[1] - upperLeft[1]),
  Math.hypot(lowerRight[0] - upperRight[0], lowerRight[1] - upperRight[1]),
];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean distance of the corners from the final ones, in plate heights. */
const spreadOf = (places: readonly Corners[], taken: Corners): number => {
  const distances = ([0, 1, 2, 3] as const).flatMap((i) =>
    places.map(({ [i]: [x, y] }) => Math.hypot(x - taken[i][0], y - taken[i][1])),
  );
  return mean(distances) / Math.max(Number.EPSILON, mean(endHeights(taken)));
};

/** The vehicle on which a box lies. @param vehicles best first */
export const vehicleOf = (
  box: Pick<Box, 'x1' | 'y1' | 'x2' | 'y2'>,
  vehicles: readonly Box[],
): Box | undefined =>
  vehicles.find((vehicle) => intersectionArea(vehicle, box) > ON_VEHICLE_SHARE * boxArea(box));

/** A candidate with its readings. */
export interface PlateCandidate {
  /** Score of each pass, 0..1. */
  readonly scores: readonly number[];
  /** Corners in each pass, in image px … */
  readonly places: readonly Corners[];
  /** … and the final ones. */
  readonly corners: Corners;
  /** Whether the passes are turned windows; not if absent. */
  readonly isTurned?: boolean;
}

/** Mean score of the passes, 0..1. */
export const meanScore = ({ scores }: Pick<PlateCandidate, 'scores'>): number => mean(scores);

/** @param vehicle the vehicle on which the plate lies, if any */
export const evidenceOf = (
  { scores, places, corners }: PlateCandidate,
  vehicle: Box | undefined,
  isProposed: boolean,
): PlateEvidence => {
  const box = cornerBounds(corners);
  const score = Math.min(MAX_CONFIDENCE, Math.max(1 - MAX_CONFIDENCE, mean(scores)));
  const middle = vehicle ? ((box.y1 + box.y2) / 2 - vehicle.y1) / boxHeight(vehicle) : 1;
  return {
    logOdds: Math.log(score / (1 - score)),
    spread: Math.log(spreadOf(places, corners) + MIN_SPREAD),
    isProposed: isProposed ? 1 : 0,
    above: Math.max(0, 0.5 - middle),
    width: Math.log(vehicle ? boxWidth(box) / boxWidth(vehicle) : USUAL_WIDTH),
  };
};

/** @returns the probability, 0..1, that it is a plate */
export const probabilityOf = (evidence: PlateEvidence, { bias, ...weights }: EvidenceWeights): number => {
  const odds = Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + weight * evidence[name as keyof PlateEvidence],
    bias,
  );
  return 1 / (1 + Math.exp(-odds));
};

/** The mean score that a candidate outside vehicles needs. @param size of the image */
export const neededScore = (
  box: Box,
  isProposed: boolean,
  { proposed, scanned, large }: PlateScores,
  { width, height }: Size,
): number => {
  const usual = isProposed ? proposed : scanned;
  const share = boxArea(clipBox(box, width, height)) / (width * height);
  return large && share >= large.fromShare ? Math.max(usual, large.score) : usual;
};

/** The mean score that a candidate on a vehicle needs, whatever the other evidence is. */
export const neededOnVehicle = (box: Box, { onVehicle, small }: PlateScores): number =>
  small && Math.sqrt(boxArea(box)) < small.belowPx ? small.onVehicle : onVehicle;
