import { cornersOf, isCrossing, requireInside, type HiddenArea } from '../../domain/hidden-areas';
import { UnreadableFile } from '../../domain/failure';
import type { Size } from '../../domain/raster';
import { errorOfFailure } from '../contract/errors';
import type { HiddenAreas } from '../contract/schemas-areas';
import { badParameter } from '../http/query';

const BOX_FIELDS = ['topLeftX', 'topLeftY', 'width', 'height'] as const;
type SentArea = HiddenAreas[number];

const shares = (area: SentArea): readonly number[] =>
  area.unit === undefined ? [] : cornersOf(area as HiddenArea).flat();

/** What an area must be, beyond its schema; the first rule decides about its shape. */
const RULES: readonly (readonly [isKept: (area: SentArea) => boolean, allowed: string])[] = [
  [
    (area) =>
      BOX_FIELDS.filter((field) => area[field] !== undefined).length ===
      (area.points ? 0 : BOX_FIELDS.length),
    'an area with either `topLeftX`, `topLeftY`, `width` and `height`, or `points`',
  ],
  [(area) => shares(area).every((share) => share >= 0 && share <= 1), 'an area with shares from 0 to 1'],
  [
    ({ points, unit, ...area }) =>
      (points ?? unit) !== undefined || BOX_FIELDS.every((field) => Number.isInteger(area[field])),
    'an area with whole numbers of pixels',
  ],
  [
    ({ points, width, height }) => points !== undefined || Math.min(width ?? 0, height ?? 0) > 0,
    'an area with a width and a height above 0',
  ],
  [({ points = [] }) => !isCrossing(points), 'a polygon whose sides do not cross'],
  [({ start = 0, end = Infinity }) => start < end, 'an area whose `start` is before its `end`'],
];

/** Checks what the schema of areas that are always hidden cannot say. @throws ApiError 422 */
export const checkHides = (areas: HiddenAreas): readonly HiddenArea[] => {
  areas.forEach((area, i) => {
    const broken = RULES.find(([isKept]) => !isKept(area));
    if (broken) throw badParameter(`hides[${i}]`, broken[1], JSON.stringify(area));
  });
  return areas as readonly HiddenArea[];
};

/** The same for areas of edits, which know the size of the image. @throws ApiError 422 */
export const checkEditedHides = (areas: HiddenAreas, size: Size): void => {
  try {
    requireInside(checkHides(areas), size);
  } catch (error) {
    throw error instanceof UnreadableFile ? errorOfFailure(error.failure) : error;
  }
};
