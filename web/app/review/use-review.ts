import { useEffect, useMemo, useState } from 'react';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import { type DrawnShape, ignoredArea } from '#shared/domain/edits/edits';
import type { ReasonCode } from '#shared/domain/reasons';
import type { HiddenArea } from '#shared/domain/hidden-areas';
import type { Box } from '#shared/domain/boxes';
import { nextKey, type EditEvent, type EditHistory, type WantedChange } from '../../state/edit-history';
import type { Corners } from '../boxes/corners';
import { isVideo, type MediaItem } from '../../state/media-item';
import { itemsOfSameSize } from '../../state/app-reducer';
import { objectsOf } from '../../state/wanted-edits';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import type { ReviewOptions } from './tools';
import { useUndoing } from './undoing';

/** Whether the objects of the image can be edited now. */
export const canReview = (item: MediaItem): boolean =>
  item.status === 'done' && item.result?.editable !== undefined && !isVideo(item);

const NO_CODES: readonly ReasonCode[] = [];

/** The object after the one that is deleted, or the one before it at the end. */
const neighbour = (objects: readonly EditableObject[], { id }: EditableObject): number | null => {
  const at = objects.findIndex((object) => object.id === id);
  return (objects[at + 1] ?? objects[at - 1])?.id ?? null;
};

/** Copies the drawn areas to other images. */
const useCopies = ({ id, edits }: MediaItem, onCopied: () => void) => {
  const { store } = useServices();
  const { items } = useAppState();
  const { areas, ignores, hides = [] } = edits.present;
  return {
    /** Number of other images to which the drawn areas can be copied. */
    copies: areas.length + ignores.length + hides.length > 0 ? itemsOfSameSize(items, id).length : 0,
    copyAreas: (): void => {
      store.send({ type: 'areas-copied', id });
      onCopied();
    },
  };
};

/** Adds areas to the edits of an image. @param takeHold selects an area */
const useAreas = (
  { present }: EditHistory,
  { drawnClass }: ReviewOptions,
  edit: (event: EditEvent, announcement: string) => void,
  takeHold: (id: number) => void,
) => {
  const { announcements } = useMessages().review;
  return {
    draw: (outline: DrawnShape): void => {
      const area = { ...outline, type_label: drawnClass, key: nextKey(present) };
      edit({ type: 'drawn', area }, announcements.drawn);
      // After a stroke the brush stays selected for the next stroke.
      if (outline.shape !== 'stroke') takeHold(area.key);
    },
    keep: (box: Box): void => {
      const area = { ...ignoredArea(box), key: nextKey(present) };
      edit({ type: 'kept', area }, announcements.kept);
      takeHold(area.key);
    },
    /** @param areas each hidden whatever is there */
    hideAlways: (areas: readonly HiddenArea[]): void => {
      const first = nextKey(present);
      const keyed = areas.map((area, i) => ({ ...area, key: first - i }));
      edit({ type: 'always-hidden', areas: keyed }, announcements.always);
      takeHold(first);
    },
  };
};

/** The selected image in the editor. */
export const useReview = (
  item: MediaItem,
  options: ReviewOptions,
  onOptions: (options: ReviewOptions) => void,
) => {
  const messages = useMessages();
  const text = messages.review;
  const [selectedId, select] = useState<number | null>(null);
  const { store } = useServices();
  const { stated } = useAppState().settings;
  const undoing = useUndoing(item, true, true);
  const edit = (event: EditEvent, announcement: string): void => {
    store.send({ type: 'edited', id: item.id, edit: event });
    undoing.setNews(announcement);
  };
  const objects = useMemo(() => objectsOf(item), [item]);
  const copying = useCopies(item, () => undoing.setNews(text.announcements.copied));
  const nameOf = ({ origin, objectClass }: EditableObject): string => {
    if (origin === 'always') return text.alwaysHidden;
    return origin === 'kept' ? text.keptArea : messages.objectName(objectClass);
  };
  /** Of the polygon that is being drawn. */
  const [corners, setCorners] = useState<Corners>([]);
  const setOptions = (changed: Partial<ReviewOptions>): void => {
    setCorners([]);
    // Only one mode at a time: select or draw.
    if (changed.tool !== undefined && changed.tool !== 'select') select(null);
    onOptions({ ...options, ...changed });
  };
  /** Selects the area that was just drawn. */
  const takeHold = (id: number): void => {
    setOptions({ tool: 'select' });
    select(id);
  };

  useEffect(() => {
    if (options.isOn) return;
    select(null);
    setCorners([]);
  }, [options.isOn]);

  return {
    ...copying,
    ...undoing,
    ...useAreas(item.edits, options, edit, takeHold),
    objects,
    selected: objects.find(({ id }) => id === selectedId),
    options,
    setOptions,
    select,
    /** Codes of reasons. */
    codes: stated?.codes ?? NO_CODES,
    corners,
    setCorners,
    /** @param step see `EditEvent` */
    change: (object: EditableObject, change: WantedChange, step?: string): void => {
      const { changed, switched } = text.announcements;
      const { hidden } = change;
      const announcement = hidden === undefined ? changed(nameOf(object)) : switched(nameOf(object), !hidden);
      edit({ type: 'changed', id: object.id, change, ...(step !== undefined && { step }) }, announcement);
    },
    remove: (object: EditableObject): void => {
      select(neighbour(objects, object));
      edit({ type: 'deleted', id: object.id }, text.announcements.deleted(nameOf(object)));
    },
  };
};
export type Review = ReturnType<typeof useReview>;
