import { useEffect, useMemo, useState } from 'react';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import { type DrawnShape, ignoredArea } from '#shared/domain/edits/edits';
import type { Box } from '#shared/domain/boxes';
import { nextKey, type EditEvent, type WantedChange } from '../../state/edit-history';
import { isVideo, type MediaItem } from '../../state/media-item';
import { picturesLike } from '../../state/pictures';
import { objectsOf } from '../../state/wanted-edits';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import type { ReviewOptions } from './tools';
import { useUndoing } from './undoing';

/** Whether the objects of the image can be edited now. */
export const canReview = (picture: MediaItem): boolean =>
  picture.status === 'done' && picture.result?.revisable !== undefined && !isVideo(picture);

/** The object after the one that is deleted, or the one before it at the end. */
const neighbour = (objects: readonly EditableObject[], { id }: EditableObject): number | null => {
  const at = objects.findIndex((object) => object.id === id);
  return (objects[at + 1] ?? objects[at - 1])?.id ?? null;
};

/** Copies the drawn areas to other images. */
const useCopies = ({ id, edits }: MediaItem, onCopied: () => void) => {
  const { store } = useServices();
  const { pictures } = useAppState();
  const { areas, ignores } = edits.present;
  return {
    /** Number of other images to which the drawn areas can be copied. */
    copies: areas.length + ignores.length > 0 ? picturesLike(pictures, id).length : 0,
    copyAreas: (): void => {
      store.send({ type: 'areas-copied', id });
      onCopied();
    },
  };
};

/** The selected image in the editor. */
export const useReview = (
  picture: MediaItem,
  options: ReviewOptions,
  onOptions: (options: ReviewOptions) => void,
) => {
  const messages = useMessages();
  const text = messages.review;
  const [selectedId, select] = useState<number | null>(null);
  const { store } = useServices();
  const undoing = useUndoing(picture, true, true);
  const edit = (event: EditEvent, announcement: string): void => {
    store.send({ type: 'edited', id: picture.id, edit: event });
    undoing.setNews(announcement);
  };
  const objects = useMemo(() => objectsOf(picture), [picture]);
  const copying = useCopies(picture, () => undoing.setNews(text.announcements.copied));
  const { present } = picture.edits;
  const nameOf = ({ origin, objectClass }: EditableObject): string =>
    origin === 'kept' ? text.keptArea : messages.objectName(objectClass);
  const setOptions = (changed: Partial<ReviewOptions>): void => {
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
    if (!options.isOn) select(null);
  }, [options.isOn]);

  return {
    ...copying,
    ...undoing,
    objects,
    selected: objects.find(({ id }) => id === selectedId),
    options,
    setOptions,
    select,
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
    draw: (outline: DrawnShape): void => {
      const area = { ...outline, type_label: options.drawnClass, key: nextKey(present) };
      edit({ type: 'drawn', area }, text.announcements.drawn);
      // After a stroke the brush stays selected for the next stroke.
      if (outline.shape !== 'stroke') takeHold(area.key);
    },
    keep: (box: Box): void => {
      const area = { ...ignoredArea(box), key: nextKey(present) };
      edit({ type: 'kept', area }, text.announcements.kept);
      takeHold(area.key);
    },
  };
};
export type Review = ReturnType<typeof useReview>;
