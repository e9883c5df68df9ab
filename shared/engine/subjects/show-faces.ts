import { boxArea, intersectionArea, type Box } from '../../domain/boxes';
import type { Region } from '../../domain/plan';
import { paddedBox } from '../redact/plan-redaction';

/** Share of a face that must lie inside a person's box, so that the person is the owner of the face. */
const INSIDE = 0.9;

const overlaps = (a: Box, b: Box): boolean => intersectionArea(a, b) > 0;
const isInside = (face: Box, person: Box): boolean =>
  intersectionArea(face, person) >= INSIDE * boxArea(face);

/**
 * The regions that show a face: the face itself, and the body of the same person.
 *
 * @returns nothing if another region overlaps the face, or if the owner of the face is not certain
 */
const shownWith = <R extends Region>(face: R, regions: readonly R[]): readonly R[] => {
  const area = paddedBox(face.detection);
  const near = regions.filter((one) => one !== face && overlaps(paddedBox(one.detection), area));
  if (near.length === 0) return [face];
  const [body] = near;
  if (!body || near.length > 1 || body.detection.objectClass !== 'person') return [];
  const { box } = body.detection;
  const hasOtherFace = regions.some(
    (one) => one !== face && one.detection.objectClass === 'face' && overlaps(one.detection.box, box),
  );
  return isInside(face.detection.box, box) && !hasOtherFace ? [face, body] : [];
};

/**
 * Marks the faces of a subject as shown, with the bodies that belong to them.
 *
 * In doubt a face stays hidden: where it overlaps any other region than its own body, and where the box of the body
 * contains a part of another face.
 *
 * @param confidenceOf similarity of a region to the subject; undefined for all regions that are not the subject's face
 */
export const showFaces = <R extends Region>(
  regions: readonly R[],
  confidenceOf: (region: R) => number | undefined,
): readonly R[] => {
  const shown = new Map<R, number>();
  for (const region of regions) {
    const confidence = confidenceOf(region);
    if (confidence === undefined || region.detection.objectClass !== 'face') continue;
    for (const one of shownWith(region, regions)) shown.set(one, confidence);
  }
  return regions.map((region) => {
    const confidence = shown.get(region);
    return confidence === undefined ? region : { ...region, shown: confidence };
  });
};
