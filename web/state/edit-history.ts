import { toBox, type Box } from '#shared/domain/boxes';
import {
  type AreaEdit,
  type EditedPart,
  type Edits,
  type IgnoredArea,
  type NumberedDetection,
  type ObjectEdit,
  ignoredArea,
  ignoredBox,
  mapBetween,
  moveDrawnShape,
} from '#shared/domain/edits/edits';
import { boundsOf, type HiddenArea } from '#shared/domain/hidden-areas';
import { numberAfter } from '#shared/domain/edits/list-objects';
import { afterStep, mapHistory, NO_STEPS, redone, undone, type History } from './history';

/** An area, with its number in the page: below 0, so that it is never a detection's. */
type Keyed<Area> = Area & { readonly key: number };
export type DrawnArea = Keyed<AreaEdit>;
export type KeptArea = Keyed<IgnoredArea>;
/** An area that is always hidden, in px. */
export type AlwaysHidden = Keyed<HiddenArea>;

/** Edits of an image or a video. Settings, which have edits of their own in requests, are next to them. */
export interface ItemEdits extends Pick<Edits, 'mute'> {
  readonly objects: readonly ObjectEdit[];
  readonly areas: readonly DrawnArea[];
  readonly ignores: readonly KeptArea[];
  /** Absent: none, and none in the upload. */
  readonly hides?: readonly AlwaysHidden[];
}

export const NO_ITEM_EDITS: ItemEdits = { objects: [], areas: [], ignores: [] };

/** An item's edits, with the steps before them and the undone steps. */
export type EditHistory = History<ItemEdits>;

export const NO_HISTORY: EditHistory = { ...NO_STEPS, present: NO_ITEM_EDITS };

/** Changes of one object; undefined: as detected, or as the settings say. */
export type WantedChange = {
  readonly [Field in 'hidden' | 'deleted' | 'bbox' | 'type_label' | 'method' | 'reason']?:
    | ObjectEdit[Field]
    | undefined;
};

/** Areas that were drawn in an image. */
export type Areas = Pick<ItemEdits, 'areas' | 'ignores' | 'hides'>;

export type EditEvent =
  /** @param step consecutive edits of the same step are undone together */
  | { readonly type: 'changed'; readonly id: number; readonly change: WantedChange; readonly step?: string }
  | { readonly type: 'deleted'; readonly id: number }
  | { readonly type: 'drawn'; readonly area: DrawnArea }
  | { readonly type: 'kept'; readonly area: KeptArea }
  | { readonly type: 'always-hidden'; readonly areas: readonly AlwaysHidden[] }
  /** Areas of another image; areas that already exist are ignored. */
  | { readonly type: 'areas-added'; readonly areas: Areas }
  | { readonly type: 'replaced'; readonly edits: ItemEdits; readonly step?: string }
  | { readonly type: 'undone' }
  | { readonly type: 'redone' };

const defined = <T extends object>(value: object): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;

export const editOf = ({ objects }: Pick<ItemEdits, 'objects'>, id: number): ObjectEdit | undefined =>
  objects.find((edit) => edit.id === id);

/** @param edit undefined: none */
export const withEdit = (
  edits: ItemEdits,
  id: number,
  edit: (WantedChange & EditedPart) | undefined,
): ItemEdits => {
  const { objects } = edits;
  const next: ObjectEdit[] = edit ? [defined({ id, ...edit })] : [];
  const at = objects.findIndex((one) => one.id === id);
  return { ...edits, objects: at < 0 ? [...objects, ...next] : objects.toSpliced(at, 1, ...next) };
};

const changedArea = (
  area: DrawnArea,
  { bbox, deleted: _onlyOfDetected, ...change }: WantedChange,
): DrawnArea => defined({ ...(bbox ? moveDrawnShape(area, toBox(bbox)) : area), ...change });

const mapByKey = <T extends { readonly key: number }>(
  list: readonly T[],
  key: number,
  map: (one: T) => T,
): readonly T[] => list.map((one) => (one.key === key ? map(one) : one));

const movedTo = (area: AlwaysHidden, box: Box): AlwaysHidden =>
  'points' in area
    ? { ...area, points: area.points.map(mapBetween(boundsOf(area.points), box)) }
    : { ...area, ...ignoredArea(box) };

const changedHidden = (
  area: AlwaysHidden,
  { bbox, hidden: _always, deleted: _gone, type_label: _none, ...change }: WantedChange,
): AlwaysHidden => defined({ ...(bbox ? movedTo(area, toBox(bbox)) : area), ...change });

/** The edits with other areas that are always hidden. */
export const withHides = (
  edits: ItemEdits,
  map: (hides: readonly AlwaysHidden[]) => readonly AlwaysHidden[],
): ItemEdits => (edits.hides ? { ...edits, hides: map(edits.hides) } : edits);

const changed = (edits: ItemEdits, id: number, change: WantedChange): ItemEdits => {
  if (id >= 0) return withEdit(edits, id, { ...editOf(edits, id), ...change });
  const { bbox } = change;
  return {
    ...withHides(edits, (hides) => mapByKey(hides, id, (area) => changedHidden(area, change))),
    areas: mapByKey(edits.areas, id, (area) => changedArea(area, change)),
    ignores: mapByKey(edits.ignores, id, (area) => (bbox ? { ...area, ...ignoredArea(toBox(bbox)) } : area)),
  };
};

const deleted = (edits: ItemEdits, id: number): ItemEdits =>
  id >= 0
    ? changed(edits, id, { deleted: true })
    : {
        ...withHides(edits, (hides) => hides.filter(({ key }) => key !== id)),
        areas: edits.areas.filter(({ key }) => key !== id),
        ignores: edits.ignores.filter(({ key }) => key !== id),
      };

/** Number for the next drawn area. */
export const nextKey = ({ areas, ignores, hides = [] }: ItemEdits): number =>
  Math.min(0, ...[...areas, ...ignores, ...hides].map(({ key }) => key)) - 1;

/** Names the pixels of an area. */
const placeOf = (area: DrawnArea | KeptArea): string => {
  if (!('shape' in area)) return JSON.stringify(ignoredBox(area));
  return JSON.stringify(area.shape === 'stroke' ? [area.points, area.radius] : [area.shape, area.bbox]);
};

const textOf = ({ key: _ofPage, ...area }: AlwaysHidden): string => JSON.stringify(area);

const withAreas = (edits: ItemEdits, added: Areas): ItemEdits => {
  const places = new Set([...edits.areas, ...edits.ignores].map(placeOf));
  const isNew = (area: DrawnArea | KeptArea): boolean => !places.has(placeOf(area));
  const [areas, ignores] = [added.areas.filter(isNew), added.ignores.filter(isNew)];
  const first = nextKey(edits);
  const known = new Set(edits.hides?.map(textOf));
  const hides = (added.hides ?? []).filter((area) => !known.has(textOf(area)));
  const firstHidden = first - areas.length - ignores.length;
  return {
    ...edits,
    ...(hides.length > 0 && {
      hides: [...(edits.hides ?? []), ...hides.map((area, i) => ({ ...area, key: firstHidden - i }))],
    }),
    areas: [...edits.areas, ...areas.map((area, i) => ({ ...area, key: first - i }))],
    ignores: [...edits.ignores, ...ignores.map((area, i) => ({ ...area, key: first - areas.length - i }))],
  };
};

/** Returns the edits after one more edit. */
export const reduceEdits = (history: EditHistory, event: EditEvent): EditHistory => {
  const { present } = history;
  switch (event.type) {
    case 'changed':
      return afterStep(history, changed(present, event.id, event.change), event.step);
    case 'deleted':
      return afterStep(history, deleted(present, event.id));
    case 'drawn':
      return afterStep(history, { ...present, areas: [...present.areas, event.area] });
    case 'kept':
      return afterStep(history, { ...present, ignores: [...present.ignores, event.area] });
    case 'always-hidden':
      return afterStep(history, { ...present, hides: [...(present.hides ?? []), ...event.areas] });
    case 'areas-added':
      return afterStep(history, withAreas(present, event.areas));
    case 'replaced':
      return afterStep(history, event.edits, event.step);
    case 'undone':
      return undone(history);
    case 'redone':
      return redone(history);
  }
};

/**
 * Transfers edits to the detections of a new run, with the new object numbers.
 *
 * Edits of an object that is not detected again are dropped: its number may belong to another object, which must not
 * become visible. Drawn areas stay.
 *
 * @param before undefined if the meaning of the old numbers is unknown
 */
export const transferEdits = (
  history: EditHistory,
  before: readonly NumberedDetection[] = [],
  after: readonly NumberedDetection[] = [],
): EditHistory =>
  mapHistory(history, (edits) => ({
    ...edits,
    objects: edits.objects.flatMap((edit) => {
      const id = numberAfter(edit.id, before, after);
      return id === undefined ? [] : [{ ...edit, id }];
    }),
  }));
