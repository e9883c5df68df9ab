import { type Bbox, type Box, boxArea, boxHeight, boxWidth, clipBox, toBox } from '../../../domain/boxes';
import type { Size } from '../../../domain/raster';
import {
  type AreaEdit,
  type DrawnShape,
  type Edits,
  type MutedPart,
  type ObjectEdit,
  type Stroke,
  isSameKind,
  joinMuted,
  drawnShapeBounds,
  mutedPartOf,
  mutedRangeOf,
  strokeBounds,
} from '../../../domain/edits/edits';
import { HIDING_METHODS } from '../../../catalogue/methods';
import type { ObjectClass } from '../../../catalogue/classes';
import { LIMITS } from '../../../domain/limits';
import { thresholdIn } from '../../../domain/options';
import type { VideoReport } from '../../../domain/plan';
import { ApiError } from '../../contract/errors';
import type { EditsBody } from '../../contract/schemas-edits';
import { badParameter } from '../../http/query';
import type { EditableTask } from '../find-task';
import { checkReasons } from './check-reasons';

type ObjectBody = NonNullable<EditsBody['objects']>[number];
type AreaBody = NonNullable<EditsBody['areas']>[number];

const FRAMES = ['frame', 'from', 'to'] as const;
const TIMES = ['at', 'start', 'end'] as const;
/** Fields that a kind of file does not have: of the edits, and of their objects and areas. */
const REFUSED = {
  image: { code: 'only_in_videos', edits: ['mute', 'audio'], entries: [...FRAMES, ...TIMES] },
  video: { code: 'not_in_videos', edits: ['ignores'], entries: [] },
} as const;

const requireInside = (name: string, box: Box, { width, height }: Size, came: string): void => {
  if (boxArea(clipBox(box, width, height)) > 0) return;
  throw badParameter(name, `at least partly inside of the image of ${width} × ${height} pixels`, came);
};

/** @throws ApiError 422 for a box without area, and for one outside of the image */
export const requireBox = (name: string, bbox: Bbox, size: Size): void => {
  const [x1, y1, x2, y2] = bbox;
  if (x1 >= x2 || y1 >= y2) {
    throw badParameter(name, '[x1, y1, x2, y2] with x1 < x2 and y1 < y2', bbox.join(', '));
  }
  requireInside(name, toBox(bbox), size, bbox.join(', '));
};

/** @throws ApiError 422 for an id that is unknown or given twice */
export const requireKnownOnce = (objects: readonly ObjectEdit[], isKnown: (id: number) => boolean): void => {
  const seen = new Set<number>();
  objects.forEach(({ id }, i) => {
    const name = `objects[${i}].id`;
    if (!isKnown(id)) throw new ApiError('unknown_object', name, id);
    if (seen.has(id)) throw new ApiError('object_named_twice', name, id);
    seen.add(id);
  });
};

/** Nothing is stored of objects with lower scores; in videos, nothing of those that are not hidden. */
const lowestThreshold = ({ task: { options }, base }: EditableTask, objectClass: ObjectClass): number => {
  const uploaded = thresholdIn(options.thresholds, objectClass);
  return base.kind === 'image' ? Math.min(base.result.candidateFloor, uploaded) : uploaded;
};

const checkHiding = ({ method, classes, thresholds = {} }: EditsBody, editable: EditableTask): void => {
  const { classes: searched } = editable.task.options;
  if (method === 'detect' && editable.base.kind === 'video') {
    throw badParameter('method', `one of ${HIDING_METHODS.join(', ')}`, method);
  }
  if (classes?.length === 0) throw badParameter('classes', 'a list of at least one class', 'an empty list');
  const unknown = classes?.find((name) => !searched.includes(name));
  if (unknown) throw new ApiError('class_not_searched', 'classes', unknown, searched.join(', '));
  for (const [objectClass, value] of Object.entries(thresholds) as [ObjectClass, number][]) {
    const lowest = lowestThreshold(editable, objectClass);
    if (value >= lowest) continue;
    const allowed = `a number from ${lowest} to 1, as lower scores were not stored`;
    throw badParameter(`thresholds.${objectClass}`, allowed, String(value));
  }
};

type MutedBody = NonNullable<EditsBody['mute']>[number];

/** @returns the parts, sorted and joined. @throws ApiError 422 */
const checkMuted = (mute: readonly MutedBody[]): readonly MutedPart[] => {
  const parts = mute.map(mutedPartOf);
  parts.forEach(({ start, end }, i) => {
    if (start < end) return;
    throw badParameter(`mute[${i}]`, 'a start before its end', `[${start}, ${end}]`);
  });
  const sorted = parts.map((part, i) => ({ part, i })).toSorted((a, b) => a.part.start - b.part.start);
  // The ranges may contain each other, so the one that ends last is remembered of each kind.
  const last = new Map<string, (typeof sorted)[number]>();
  for (const one of sorted) {
    const other = [...last.values()].find(
      ({ part }) => part.end > one.part.start && !isSameKind(part, one.part),
    );
    if (other) throw new ApiError('muted_differently', `mute[${one.i}]`, `mute[${other.i}]`);
    const kind = JSON.stringify([one.part.as, one.part.reason]);
    if ((last.get(kind)?.part.end ?? 0) < one.part.end) last.set(kind, one);
  }
  return joinMuted(parts);
};

const checkAudio = (parts: readonly MutedPart[], { unmutableAudio, unbleepableAudio }: VideoReport): void => {
  if (unmutableAudio && parts.length > 0) {
    throw new ApiError('audio_not_mutable', unmutableAudio.join(', '));
  }
  if (!unbleepableAudio || parts.every(({ as }) => as === undefined)) return;
  throw new ApiError('audio_not_bleepable', unbleepableAudio.join(', '));
};

const requireAbsent = (name: string, area: AreaBody, ...fields: readonly (keyof AreaBody)[]): void => {
  const given = fields.find((field) => area[field] !== undefined);
  if (given) throw badParameter(`${name}.${given}`, `absent for the shape ${area.shape}`, 'what was sent');
};

const required = <Value>(value: Value | undefined, name: string): Value => {
  if (value === undefined) throw new ApiError('missing_field', name);
  return value;
};

/** @throws ApiError 422 for fields that another shape has, and for an area outside of the image */
const checkShape = (name: string, area: AreaBody, size: Size): void => {
  if (area.shape !== 'stroke') {
    requireAbsent(name, area, 'points', 'radius');
    return requireBox(`${name}.bbox`, required(area.bbox, `${name}.bbox`), size);
  }
  requireAbsent(name, area, 'bbox');
  const points = required(area.points, `${name}.points`);
  const radius = required(area.radius, `${name}.radius`);
  requireInside(`${name}.points`, strokeBounds({ points, radius }), size, 'points outside of it');
};

/** @throws ApiError 422 for times next to frames, and for an end before its start */
const checkTimes = (name: string, entry: Partial<AreaBody>): void => {
  const { start = 0, end = Infinity } = entry;
  const [frame, time] = [FRAMES, TIMES].map((fields) => fields.find((field) => entry[field] !== undefined));
  if (frame && time) throw badParameter(`${name}.${time}`, `absent next to ${frame}`, 'what was sent');
  if (end < start) throw badParameter(`${name}.end`, 'at or after its start', String(end));
};

/** The place of a track is that in one frame. @throws ApiError 422 */
const checkPlace = (name: string, { bbox, at, frame }: ObjectBody): void => {
  if (bbox) required(at ?? frame, `${name}.frame`);
  else if (at !== undefined) throw badParameter(`${name}.at`, 'absent without bbox', 'what was sent');
  else if (frame !== undefined) throw badParameter(`${name}.frame`, 'absent without bbox', 'what was sent');
};

/** Pixels that painting it touches, overlaps of its segments counted each time. */
const touchedPixels = ({ points, radius }: Stroke, { width, height }: Size): number =>
  points.reduce((sum, point, i) => {
    const bounds = strokeBounds({ points: [points[i - 1] ?? point, point], radius });
    return sum + Math.min(width, boxWidth(bounds)) * Math.min(height, boxHeight(bounds));
  }, 0);

/** Edits of an image are applied in one step that cannot be interrupted. @throws ApiError 422 */
const requireBoundedWork = (shapes: readonly DrawnShape[], size: Size, isVideo: boolean): void => {
  const { maxStrokePixels, maxVideoStrokePixels, maxEditedPixels } = LIMITS;
  const maxStroked = isVideo ? maxVideoStrokePixels : maxStrokePixels;
  let [stroked, covered] = [0, 0];
  for (const shape of shapes) {
    if (shape.shape === 'stroke') stroked += touchedPixels(shape, size);
    else covered += boxArea(clipBox(drawnShapeBounds(shape), size.width, size.height));
  }
  if (stroked > maxStroked) throw new ApiError('edits_too_large', 'strokes', maxStroked);
  if (isVideo || covered <= maxEditedPixels) return;
  throw new ApiError('edits_too_large', 'boxes and ellipses', maxEditedPixels);
};

const movedBoxes = (objects: readonly ObjectBody[]): readonly DrawnShape[] =>
  objects.flatMap(({ bbox }) => (bbox ? [{ shape: 'box', bbox } as const] : []));

/** Areas that are always hidden have a check of their own (`check-hides.ts`). */
type CheckedBody = Omit<EditsBody, 'hides'> & Pick<Edits, 'hides'>;

/**
 * The only check of edits; numbers of frames and tracks are checked where they are looked up (`with-times.ts`).
 *
 * @returns the edits, with joined parts without sound
 * @throws ApiError 422 about the first error
 */
export const checkEdits = (body: EditsBody, editable: EditableTask): Edits => {
  const { base } = editable;
  const { followed: _readOnly, objects = [], areas = [], mute = [], ...rest } = body as CheckedBody;
  const isVideo = base.kind === 'video';
  const size = base.result.report;
  const refused = REFUSED[base.kind];
  const refuse = (name: string, from: object, fields: readonly string[]): void => {
    const given = fields.find((field) => field in from);
    if (given) throw new ApiError(refused.code, name + given);
  };
  const found = new Set(base.kind === 'image' ? base.found.map(({ id }) => id) : []);
  refuse('', body, refused.edits);
  checkHiding(body, editable);
  checkReasons(body, editable.task.options);
  const muted = checkMuted(mute);
  if (base.kind === 'video') {
    if (body.audio !== 'mute') checkAudio(muted, base.result.report);
  } else requireKnownOnce(objects, (id) => found.has(id));
  objects.forEach((edit, i) => {
    const name = `objects[${i}]`;
    refuse(`${name}.`, edit, refused.entries);
    checkTimes(name, edit);
    if (edit.bbox) requireBox(`${name}.bbox`, edit.bbox, size);
    if (isVideo) checkPlace(name, edit);
  });
  areas.forEach((area, i) => {
    const name = `areas[${i}]`;
    refuse(`${name}.`, area, refused.entries);
    checkShape(name, area, size);
    checkTimes(name, area);
    if (isVideo) required(area.at ?? area.frame, `${name}.frame`);
  });
  const checked = areas as readonly AreaEdit[];
  requireBoundedWork([...movedBoxes(objects), ...checked], size, isVideo);
  return { ...rest, objects, areas: checked, ...(mute.length > 0 && { mute: muted.map(mutedRangeOf) }) };
};
