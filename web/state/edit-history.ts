import {
  NO_EDITS,
  type DrawnArea,
  type KeptArea,
  type NumberedDetection,
  type ObjectChange,
  type PlanEdits,
} from '#shared/domain/edits/edits';
import { numberAfter } from '#shared/domain/edits/list-objects';
import { moveOutline } from '#shared/domain/edits/outline';
import type { HidingMethod } from '#shared/catalogue/methods';
import { afterStep, mapHistory, NO_STEPS, redone, undone, type History } from './history';

/** An image's edits, with the steps before them and the undone steps. */
export type EditHistory = History<PlanEdits>;

export const NO_HISTORY: EditHistory = { ...NO_STEPS, present: NO_EDITS };

/** Changes of one object; `method` undefined: the method of the settings. */
export interface WantedChange extends Omit<ObjectChange, 'isDeleted' | 'method'> {
  readonly method?: HidingMethod | undefined;
  /** Takes the deletion of a detected object back. */
  readonly isDeleted?: false;
}

/** An area that was drawn in an image. */
export type Areas = Pick<PlanEdits, 'drawn' | 'kept'>;

export type EditEvent =
  /** @param step consecutive edits of the same step are undone together */
  | { readonly type: 'changed'; readonly id: number; readonly change: WantedChange; readonly step?: string }
  | { readonly type: 'deleted'; readonly id: number }
  | { readonly type: 'drawn'; readonly area: DrawnArea }
  | { readonly type: 'kept'; readonly area: KeptArea }
  /** Areas of another image; areas that already exist are ignored. */
  | { readonly type: 'areas-added'; readonly areas: Areas }
  | { readonly type: 'undone' }
  | { readonly type: 'redone' };

const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;

const changedArea = (
  area: DrawnArea,
  { box, isDeleted: _onlyOfDetected, ...change }: WantedChange,
): DrawnArea =>
  defined({
    ...area,
    ...change,
    ...(box && { outline: moveOutline(area.outline, box) }),
  }) as DrawnArea;

const mapById = <T extends { readonly id: number }>(
  list: readonly T[],
  id: number,
  map: (one: T) => T,
): readonly T[] => list.map((one) => (one.id === id ? map(one) : one));

const withFound = (
  { changes, ...edits }: PlanEdits,
  id: number,
  change: WantedChange | ObjectChange,
): PlanEdits => ({
  ...edits,
  changes: { ...changes, [id]: defined({ ...changes[id], ...change }) as ObjectChange },
});

const changed = (edits: PlanEdits, id: number, change: WantedChange): PlanEdits => {
  if (id >= 0) return withFound(edits, id, change);
  const { box } = change;
  return {
    ...edits,
    drawn: mapById(edits.drawn, id, (area) => changedArea(area, change)),
    kept: mapById(edits.kept, id, (area) => (box ? { ...area, box } : area)),
  };
};

const deleted = (edits: PlanEdits, id: number): PlanEdits =>
  id >= 0
    ? withFound(edits, id, { isDeleted: true })
    : {
        ...edits,
        drawn: edits.drawn.filter((area) => area.id !== id),
        kept: edits.kept.filter((area) => area.id !== id),
      };

/** Number for the next drawn area. */
export const nextAreaId = ({ drawn, kept }: PlanEdits): number =>
  Math.min(0, ...drawn.map(({ id }) => id), ...kept.map(({ id }) => id)) - 1;

const isIn = (places: readonly unknown[], place: unknown): boolean =>
  places.some((other) => JSON.stringify(other) === JSON.stringify(place));

const withAreas = (edits: PlanEdits, { drawn, kept }: Areas): PlanEdits => {
  const outlines = edits.drawn.map(({ outline }) => outline);
  const boxes = edits.kept.map(({ box }) => box);
  const newDrawn = drawn.filter(({ outline }) => !isIn(outlines, outline));
  const newKept = kept.filter(({ box }) => !isIn(boxes, box));
  const first = nextAreaId(edits);
  return {
    ...edits,
    drawn: [...edits.drawn, ...newDrawn.map((area, i) => ({ ...area, id: first - i }))],
    kept: [...edits.kept, ...newKept.map((area, i) => ({ ...area, id: first - newDrawn.length - i }))],
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
      return afterStep(history, { ...present, drawn: [...present.drawn, event.area] });
    case 'kept':
      return afterStep(history, { ...present, kept: [...present.kept, event.area] });
    case 'areas-added': {
      const next = withAreas(present, event.areas);
      const isMore = next.drawn.length > present.drawn.length || next.kept.length > present.kept.length;
      return isMore ? afterStep(history, next) : history;
    }
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
export const carryEdits = (
  history: EditHistory,
  before: readonly NumberedDetection[] = [],
  after: readonly NumberedDetection[] = [],
): EditHistory =>
  mapHistory(history, (edits) => ({
    ...edits,
    changes: Object.fromEntries(
      Object.entries(edits.changes).flatMap(([id, change]) => {
        const number = numberAfter(Number(id), before, after);
        return number === undefined ? [] : [[number, change]];
      }),
    ),
  }));
