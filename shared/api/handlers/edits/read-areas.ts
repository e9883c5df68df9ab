import { boxArea, boxHeight, boxWidth, clipBox, type Box } from '../../../domain/boxes';
import type { DrawnShape } from '../../../domain/edits/edits';
import { outlineBounds, strokeBounds, type Stroke } from '../../../domain/edits/outline';
import { LIMITS } from '../../../domain/limits';
import type { IgnoreArea } from '../../../domain/options';
import type { Size } from '../../../domain/size';
import { ApiError } from '../../contract/errors';
import type { AreaEdit, Edits } from '../../contract/schemas-edits';
import { badParameter } from '../../http/query';

type Corners = readonly [number, number, number, number];

const isEmpty = ([x1, y1, x2, y2]: Corners): boolean => x1 >= x2 || y1 >= y2;

const requireInside = (name: string, box: Box, { width, height }: Size, came: unknown): void => {
  if (boxArea(clipBox(box, width, height)) > 0) return;
  throw badParameter(name, `at least partly inside of the image of ${width} × ${height} pixels`, `${came}`);
};

/** @throws ApiError 422 for a box without area, and for one outside of the image */
export const readBox = (name: string, corners: Corners, size: Size): Box => {
  if (isEmpty(corners)) {
    throw badParameter(name, '[x1, y1, x2, y2] with x1 < x2 and y1 < y2', corners.join(', '));
  }
  const [x1, y1, x2, y2] = corners;
  const box = { x1, y1, x2, y2 };
  requireInside(name, box, size, corners.join(', '));
  return box;
};

const requireAbsent = (name: string, area: AreaEdit, ...fields: readonly (keyof AreaEdit)[]): void => {
  const given = fields.find((field) => area[field] !== undefined);
  if (given) throw badParameter(`${name}.${given}`, `absent for the shape ${area.shape}`, 'what was sent');
};

const required = <K extends keyof AreaEdit>(
  name: string,
  area: AreaEdit,
  field: K,
): NonNullable<AreaEdit[K]> => {
  const value = area[field];
  if (value === undefined) throw new ApiError('missing_field', `${name}.${field}`);
  return value as NonNullable<AreaEdit[K]>;
};

/** @throws ApiError 422 for fields that another shape has, and for an area outside of the image */
export const readShape = (name: string, area: AreaEdit, size: Size): DrawnShape => {
  if (area.shape !== 'stroke') {
    requireAbsent(name, area, 'points', 'radius');
    return { kind: area.shape, box: readBox(`${name}.bbox`, required(name, area, 'bbox'), size) };
  }
  requireAbsent(name, area, 'bbox');
  const points = required(name, area, 'points');
  const radiusPx = required(name, area, 'radius');
  const stroke = { kind: 'stroke', points, radiusPx } as const;
  requireInside(`${name}.points`, outlineBounds(stroke), size, 'points outside of it');
  return stroke;
};

/** Pixels that painting it touches, overlaps of its segments counted each time. */
const touchedPixels = ({ points, radiusPx }: Stroke, { width, height }: Size): number => {
  return points.reduce((sum, point, i) => {
    const bounds = strokeBounds({ points: [points[i - 1] ?? point, point], radiusPx });
    return sum + Math.min(width, boxWidth(bounds)) * Math.min(height, boxHeight(bounds));
  }, 0);
};

/** @throws ApiError 422 for strokes that touch more than `max` pixels together */
export const requireBoundedStrokes = (shapes: readonly DrawnShape[], size: Size, max: number): void => {
  const stroked = shapes.reduce(
    (sum, shape) => sum + (shape.kind === 'stroke' ? touchedPixels(shape, size) : 0),
    0,
  );
  if (stroked > max) throw new ApiError('edits_too_large', 'strokes', max);
};

/** Edits are applied in one step that cannot be interrupted. @throws ApiError 422 */
export const requireBoundedWork = (shapes: readonly DrawnShape[], size: Size): void => {
  const { maxStrokePixels, maxEditedPixels } = LIMITS;
  requireBoundedStrokes(shapes, size, maxStrokePixels);
  const covered = shapes.reduce(
    (sum, shape) =>
      sum + (shape.kind === 'stroke' ? 0 : boxArea(clipBox(shape.box, size.width, size.height))),
    0,
  );
  if (covered > maxEditedPixels) throw new ApiError('edits_too_large', 'boxes and ellipses', maxEditedPixels);
};

/** @returns undefined where the edits name none: those of the upload stay */
export const readIgnores = ({ ignores }: Edits): readonly IgnoreArea[] | undefined =>
  ignores?.map(({ topLeftX, topLeftY, width, height }) => ({ x: topLeftX, y: topLeftY, width, height }));
