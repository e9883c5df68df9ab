import { isObjectClass, OBJECT_CLASSES, type ObjectClass } from '../../catalogue/classes';
import { HIDING_METHODS, type HidingMethod } from '../../catalogue/methods';
import { boxArea, boxHeight, clipBox, toBox, type Bbox, type Box } from '../../domain/boxes';
import { UnreadableFile } from '../../domain/failure';
import type { GivenRedaction } from '../../domain/given';
import { LIMITS } from '../../domain/limits';
import type { Size } from '../../domain/raster';
import { areRunsOf, boundsOfRuns, runsOfText } from './coco-mask';
import { boundsOfPolygons, type FlatPolygon } from './polygons';

/** Names a place in a file of detections: the number of a line. */
export type LineNumber = () => number;

/** @throws UnreadableFile always */
export const refuseLine = (where: LineNumber, sentence: string): never => {
  throw new UnreadableFile(`Line ${where()} of the detections is wrong: ${sentence}`);
};

/** A mask as a file has it: run lengths down the columns, or polygons. */
export type GivenMask =
  | { readonly kind: 'runs'; readonly counts: string | readonly number[]; readonly box: Box }
  | { readonly kind: 'polygons'; readonly polygons: readonly FlatPolygon[]; readonly box: Box };

/** An object of a file, checked; its mask is not drawn yet. */
export interface ListedObject {
  readonly objectClass: ObjectClass;
  readonly score: number;
  readonly box: Box;
  readonly trackId?: number;
  readonly mask?: GivenMask;
  readonly redaction?: GivenRedaction;
}

/** An image, or a frame of a video, as a file lists it. */
export interface ListedImage extends Size {
  readonly where: LineNumber;
  /** The file that it belongs to; absent: the only one. */
  readonly name?: string;
  /** From 0; absent for an image. */
  readonly frame?: number;
  readonly objects: readonly ListedObject[];
}

/** What a format says of an object, before it is checked. */
export interface UncheckedObject {
  readonly objectClass: unknown;
  readonly score: unknown;
  /** [x1, y1, x2, y2]. */
  readonly bbox: unknown;
  readonly track: unknown;
  readonly mask: unknown;
  readonly redaction: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const areNumbers = (value: unknown, count?: number): value is number[] =>
  Array.isArray(value) && (count === undefined || value.length === count) && value.every(Number.isFinite);

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** A value as a sentence quotes it. */
const MAX_QUOTED = 60;
const quote = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
};

/** @throws UnreadableFile where it is no size */
export const readSize = ({ width, height }: Fields, where: LineNumber): Size => {
  const isSide = (side: unknown): side is number => isCount(side) && side > 0 && side <= LIMITS.maxSidePx;
  if (isSide(width) && isSide(height)) return { width, height };
  return refuseLine(where, 'it needs the `width` and `height` of the upright image, in pixels.');
};

const readClass = (value: unknown, where: LineNumber): ObjectClass =>
  typeof value === 'string' && isObjectClass(value)
    ? value
    : refuseLine(where, `the class must be one of ${OBJECT_CLASSES.join(', ')}, not ${quote(value)}.`);

const readBox = (value: unknown, { width, height }: Size, where: LineNumber): Box => {
  if (!areNumbers(value, 4)) return refuseLine(where, `a box must be four numbers, not ${quote(value)}.`);
  const box = clipBox(toBox(value as unknown as Bbox), width, height);
  if (box.x1 < box.x2 && box.y1 < box.y2) return box;
  return refuseLine(
    where,
    `the box ${quote(value)} is outside the image, which has ${width} × ${height} pixels.`,
  );
};

const isPolygon = (value: unknown): value is number[] =>
  areNumbers(value) && value.length >= 6 && value.length % 2 === 0;

const NO_MASK = 'a mask must be run lengths that fill the image, or polygons of at least three corners.';

const readRuns = ({ size, counts }: Fields, image: Size, where: LineNumber): GivenMask | undefined => {
  const runs = typeof counts === 'string' ? runsOfText(counts) : counts;
  const isOfImage = areNumbers(size, 2) && size[0] === image.height && size[1] === image.width;
  if (!isOfImage || !areNumbers(runs) || !areRunsOf(runs, image)) return refuseLine(where, NO_MASK);
  const box = boundsOfRuns(runs, image);
  return box && { kind: 'runs', counts: counts as string | readonly number[], box };
};

/** @returns undefined where it covers nothing: the object is hidden by the shape of its class */
const readMask = (value: unknown, image: Size, where: LineNumber): GivenMask | undefined => {
  if (value === undefined || value === null) return undefined;
  if (isFields(value)) return readRuns(value, image, where);
  if (!Array.isArray(value) || !value.every(isPolygon)) return refuseLine(where, NO_MASK);
  if (value.length === 0) return undefined;
  return { kind: 'polygons', polygons: value, box: boundsOfPolygons(value, image) };
};

const contains = (outer: Box, inner: Box): boolean =>
  outer.x1 <= inner.x1 && outer.y1 <= inner.y1 && outer.x2 >= inner.x2 && outer.y2 >= inner.y2;

const wholeBox = (value: unknown): Box | undefined =>
  areNumbers(value, 4) && value.every(isCount) ? toBox(value as unknown as Bbox) : undefined;

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= LIMITS.maxSidePx;

/** How an export says that an object was hidden, and the box around its shape. */
interface ReadRedaction {
  readonly redaction: GivenRedaction;
  readonly box: Box;
}

/** Only masks of an export are drawn again as they were: without one, a shape is made anew. */
const readRedaction = (
  value: unknown,
  mask: GivenMask | undefined,
  { width, height }: Size,
  where: LineNumber,
): ReadRedaction | undefined => {
  if (value === undefined || mask?.kind !== 'runs') return undefined;
  const { method, bbox, cell_px: cellPx, feather_px: featherPx } = isFields(value) ? value : {};
  const sides = wholeBox(bbox);
  const isSound =
    HIDING_METHODS.includes(method as HidingMethod) &&
    sides &&
    contains({ x1: 0, y1: 0, x2: width, y2: height }, sides) &&
    contains(sides, mask.box) &&
    [cellPx, featherPx].every(isLength) &&
    Number(cellPx) >= 1;
  if (!isSound) return refuseLine(where, '`redaction` is not as an export of Veil has it.');
  const redaction = { method, cellPx, featherPx } as GivenRedaction;
  return { redaction, box: sides };
};

/** Checks what a format says of an object. @throws UnreadableFile */
export const readObject = (claims: UncheckedObject, image: Size, where: LineNumber): ListedObject => {
  const { score = 1, track } = claims;
  const objectClass = readClass(claims.objectClass, where);
  const isScore = typeof score === 'number' && score >= 0 && score <= 1;
  if (!isScore) refuseLine(where, `a score must be a number from 0 to 1, not ${quote(score)}.`);
  if (track !== undefined && !isCount(track)) {
    refuseLine(where, `a track must be a whole number, not ${quote(track)}.`);
  }
  const mask = readMask(claims.mask, image, where);
  const own = readRedaction(claims.redaction, mask, image, where);
  return {
    objectClass,
    score: score as number,
    box: readBox(claims.bbox, image, where),
    ...(track !== undefined && { trackId: track as number }),
    ...(mask && { mask: own && mask.kind === 'runs' ? { ...mask, box: own.box } : mask }),
    ...(own && { redaction: own.redaction }),
  };
};

/** Steps that draw the shape of an object: its pixels, and all corners of a polygon in each of its rows. */
const stepsOf = ({ box, mask }: ListedObject): number => {
  if (mask?.kind !== 'polygons') return boxArea(mask?.box ?? box);
  const corners = mask.polygons.reduce((sum, { length }) => sum + length / 2, 0);
  return boxArea(mask.box) + corners * boxHeight(mask.box);
};

/** Refuses an image with more than is worked on. @throws UnreadableFile */
export const requireBounded = (objects: readonly ListedObject[], where: LineNumber): void => {
  const steps = objects.reduce((sum, object) => sum + stepsOf(object), 0);
  if (objects.length > LIMITS.maxEdits) {
    refuseLine(where, `an image may have at most ${LIMITS.maxEdits} objects.`);
  }
  if (steps > LIMITS.maxEditedPixels) {
    refuseLine(
      where,
      `the shapes of an image may cover at most ${LIMITS.maxEditedPixels} pixels, polygons with many corners fewer.`,
    );
  }
};

/**
 * Whether an export lists an area of the upload here, which the request hides itself.
 *
 * @param hasAreas whether the request has areas @throws UnreadableFile where it has none: the area would be visible
 */
export const isArea = (objectClass: unknown, hasAreas: boolean, where: LineNumber): boolean => {
  if (objectClass !== 'area') return false;
  if (!hasAreas) refuseLine(where, 'it is an area that `hides` named: send the same `hides` again.');
  return true;
};
