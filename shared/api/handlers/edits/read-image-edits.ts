import type { DrawnArea, EditRequest, ObjectChange } from '../../../domain/edits/edits';
import type { ObjectClass } from '../../../catalogue/classes';
import { thresholdIn } from '../../../domain/options';
import type { Size } from '../../../domain/size';
import type { Task } from '../../../domain/task';
import type { ImageBase } from '../../../tasks/edits/edit-base';
import { ApiError } from '../../contract/errors';
import type { AreaEdit, Edits, ObjectEdit } from '../../contract/schemas-edits';
import { badParameter } from '../../http/query';
import { readBox, readIgnores, readShape, requireBoundedWork } from './read-areas';

const refuseVideoFields = (name: string, edit: ObjectEdit | AreaEdit): void => {
  const given = (['frame', 'from', 'to'] as const).find((field) => field in edit);
  if (given) throw new ApiError('only_in_videos', `${name}.${given}`);
};

/** @throws ApiError 422 for an id that is unknown or given twice */
export const requireKnownOnce = (ids: readonly number[], isKnown: (id: number) => boolean): void => {
  const seen = new Set<number>();
  ids.forEach((id, i) => {
    const name = `objects[${i}].id`;
    if (!isKnown(id)) throw new ApiError('unknown_object', name, id);
    if (seen.has(id)) throw new ApiError('object_named_twice', name, id);
    seen.add(id);
  });
};

/** @throws ApiError 422 for a class that the detectors did not search for */
export const readClasses = ({ classes }: Edits, searched: readonly ObjectClass[]): readonly ObjectClass[] => {
  if (!classes) return searched;
  if (classes.length === 0) throw badParameter('classes', 'a list of at least one class', 'an empty list');
  const unknown = classes.find((name) => !searched.includes(name));
  if (unknown) throw new ApiError('class_not_searched', 'classes', unknown, searched.join(', '));
  return classes;
};

/**
 * @param lowest of each class: objects with lower scores are not known, and a lower threshold would hide none of them
 * @throws ApiError 422
 */
export const readThresholds = (
  { thresholds = {} }: Edits,
  { thresholds: uploaded }: Task['options'],
  lowest: (objectClass: ObjectClass) => number,
): EditRequest['thresholds'] => {
  for (const [objectClass, value] of Object.entries(thresholds) as [ObjectClass, number][]) {
    const from = lowest(objectClass);
    if (value < from) {
      const allowed = `a number from ${from} to 1, as lower scores were not stored`;
      throw badParameter(`thresholds.${objectClass}`, allowed, String(value));
    }
  }
  return { ...uploaded, ...thresholds };
};

const readChange = (edit: ObjectEdit, name: string, size: Size): ObjectChange => {
  refuseVideoFields(name, edit);
  const { hidden, deleted, bbox, type_label: objectClass, method } = edit;
  return {
    ...(hidden === false && { isOff: true }),
    ...(deleted && { isDeleted: true }),
    ...(bbox && { box: readBox(`${name}.bbox`, bbox, size) }),
    ...(objectClass && { objectClass }),
    ...(method && { method }),
  };
};

/** Areas have numbers below 0, so that none is taken for a detection. */
const readArea = (edit: AreaEdit, index: number, size: Size): DrawnArea => {
  const name = `areas[${index}]`;
  refuseVideoFields(name, edit);
  return {
    id: -1 - index,
    objectClass: edit.type_label,
    outline: readShape(name, edit, size),
    ...(edit.method && { method: edit.method }),
    ...(edit.hidden === false && { isOff: true }),
  };
};

/**
 * What the edits of an image ask of the engine. A field that is absent stays as uploaded.
 *
 * @throws ApiError 422 about the first error
 */
export const readImageEdits = (
  body: Edits,
  { plan, found, result: { candidateFloor } }: ImageBase,
  { options }: Task,
): EditRequest => {
  const { objects = [], areas = [] } = body;
  const onlyOfVideos = (['mute', 'audio'] as const).find((field) => body[field] !== undefined);
  if (onlyOfVideos) throw new ApiError('only_in_videos', onlyOfVideos);
  const classes = readClasses(body, options.classes);
  const lowest = (one: ObjectClass): number => Math.min(candidateFloor, thresholdIn(options.thresholds, one));
  const thresholds = readThresholds(body, options, lowest);
  const ids = new Set(found.map(({ id }) => id));
  requireKnownOnce(
    objects.map(({ id }) => id),
    (id) => ids.has(id),
  );
  const changes = objects.map((edit, i) => [edit.id, readChange(edit, `objects[${i}]`, plan)] as const);
  const drawn = areas.map((edit, i) => readArea(edit, i, plan));
  const moved = changes.flatMap(([, { box }]) => (box ? [{ kind: 'box', box } as const] : []));
  requireBoundedWork([...moved, ...drawn.map(({ outline }) => outline)], plan);
  const methods = { ...options.methods, ...body.methods };
  const ignores = readIgnores(body);
  return {
    method: body.method ?? options.method,
    ...(Object.keys(methods).length > 0 && { methods }),
    classes,
    thresholds,
    edits: { changes: Object.fromEntries(changes), drawn, kept: [] },
    ...(ignores && { ignores }),
    ...(options.wholeBoxes && { wholeBoxes: true }),
    ...(body.keep_metadata === undefined ? {} : { keepsMetadata: body.keep_metadata }),
    ...(body.show === undefined ? {} : { show: body.show.toLowerCase() }),
  };
};
