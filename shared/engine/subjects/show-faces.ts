import { boxHeight, intersectionArea, boxArea, outerPixels, type Box } from '../../domain/boxes';
import type { Region, Shape } from '../../domain/plan';
import { paddedBox } from '../redact/plan-redaction';
import { fillShape } from '../masks/fill-shape';
import { MAX_COVERED_SHARE, MAX_HAIR, MIN_OWNED_SHARE } from './subject-limits';

/** The share of a box, in image px, that shapes cover together, 0..1. */
const coveredShare = (box: Box, shapes: readonly Shape[]): number => {
  const pixels = outerPixels(box);
  const covered = new Uint8Array(boxArea(pixels));
  for (const shape of shapes) fillShape(shape, pixels, covered);
  return covered.reduce((sum, value) => sum + (value === 255 ? 1 : 0), 0) / covered.length;
};

const overlaps = (a: Box, b: Box): boolean => intersectionArea(a, b) > 0;
const isFace = ({ detection }: Region): boolean => detection.objectClass === 'face';
const isPerson = ({ detection }: Region): boolean => detection.objectClass === 'person';

/** The share of a face that regions hide, 0..1. */
const hiddenShare = (face: Region, regions: readonly Region[]): number =>
  coveredShare(
    face.detection.box,
    regions.map(({ shape }) => shape),
  );

/** Whether a face is at the top of a body. Otherwise it may be the face of a child in front of an adult, or an image. */
const isOnTop = (face: Region, body: Region): boolean =>
  face.detection.box.y1 - body.detection.box.y1 <= MAX_HAIR * boxHeight(face.detection.box);

/** Whether a body may be that of a face. */
const mayOwn = (body: Region, face: Region): boolean =>
  isPerson(body) && isOnTop(face, body) && hiddenShare(face, [body]) >= MIN_OWNED_SHARE;

/**
 * The regions that show a face: the face itself, and the body of the same person.
 *
 * @returns nothing if the face overlaps another face, if other regions hide too much of it, or if the body may belong to
 *   another person
 */
const shownWith = <R extends Region>(face: R, regions: readonly R[]): readonly R[] => {
  const area = paddedBox(face.detection);
  const faces = regions.filter((one) => one !== face && isFace(one));
  if (faces.some((one) => overlaps(paddedBox(one.detection), area))) return [];
  const body = regions.find((one) => mayOwn(one, face));
  const others = regions.filter((one) => one !== face && one !== body);
  if (hiddenShare(face, others) > MAX_COVERED_SHARE) return [];
  if (!body) return [face];
  const strangers = faces.filter((one) => coveredShare(paddedBox(one.detection), [body.shape]) > 0);
  const areHidden = strangers.every((one) => others.some((other) => mayOwn(other, one)));
  return areHidden ? [face, body] : [];
};

/**
 * Marks the faces of a subject as shown, with the bodies that belong to them.
 *
 * All other regions are hidden completely, also where they overlap what is shown. In doubt a face stays hidden: where it
 * overlaps another face, and where its body may be that of another person.
 *
 * @param confidenceOf similarity of a region to the subject; undefined for all regions that are not the subject's face
 * @param isDecided whether a person decided that the region is hidden: then it is not shown as a body either
 */
export const showFaces = <R extends Region>(
  regions: readonly R[],
  confidenceOf: (region: R) => number | undefined,
  isDecided: (region: R) => boolean = () => false,
): readonly R[] => {
  const shown = new Map<R, number>();
  for (const region of regions) {
    const confidence = confidenceOf(region);
    if (confidence === undefined || !isFace(region)) continue;
    const together = shownWith(region, regions);
    if (together.some(isDecided)) continue;
    for (const one of together) shown.set(one, confidence);
  }
  return regions.map((region) => {
    const confidence = shown.get(region);
    return confidence === undefined ? region : { ...region, shown: confidence };
  });
};
