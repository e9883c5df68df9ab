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
import type { Undoing } from './undoing';

/** The selected image in the editor. */
export interface Review extends Undoing {
  readonly objects: readonly EditableObject[];
  readonly selected: EditableObject | undefined;
  readonly options: ReviewOptions;
  /** Announcement of the last edit for screen readers. */
  readonly news: string;
  setOptions(options: Partial<ReviewOptions>): void;
  select(id: number | null): void;
  /** @param step see `EditEvent` */
  change(object: EditableObject, change: WantedChange, step?: string): void;
  remove(object: EditableObject): void;
  draw(outline: DrawnShape): void;
  keep(box: Box): void;
  /** Number of other images to which the drawn areas can be copied. */
  readonly copies: number;
  copyAreas(): void;
}

/** Whether the objects of the image can be edited now. */
export const canReview = (picture: MediaItem): boolean =>
  picture.status === 'done' && picture.result?.revisable !== undefined && !isVideo(picture);

/** The object after the one that is deleted, or the one before it at the end. */
const neighbour = (objects: readonly EditableObject[], { id }: EditableObject): number | null => {
  const at = objects.findIndex((object) => object.id === id);
  return (objects[at + 1] ?? objects[at - 1])?.id ?? null;
};

/** Edits of an image, and their announcements for screen readers. */
const useEdits = (picture: MediaItem) => {
  const { store } = useServices();
  const [news, setNews] = useState('');
  const edit = (event: EditEvent, announcement: string): void => {
    store.send({ type: 'edited', id: picture.id, edit: event });
    setNews(announcement);
  };
  return { news, setNews, edit };
};

/** Copies the drawn areas to other images. */
const useCopies = ({ id, edits }: MediaItem, onCopied: () => void): Pick<Review, 'copies' | 'copyAreas'> => {
  const { store } = useServices();
  const { pictures } = useAppState();
  const { areas, ignores } = edits.present;
  return {
    copies: areas.length + ignores.length > 0 ? picturesLike(pictures, id).length : 0,
    copyAreas: () => {
      store.send({ type: 'areas-copied', id });
      onCopied();
    },
  };
};

/** Undoes and redoes: edits of this image, or changes of all images. */
const useUndoing = (
  { edits: { past, future } }: MediaItem,
  edit: (event: EditEvent, announcement: string) => void,
  setNews: (announcement: string) => void,
): Undoing => {
  const { announcements } = useMessages().review;
  const { store } = useServices();
  const isForAllLatest = useAppState().doneForAll?.isLatest === true;
  return {
    canUndo: isForAllLatest || past.length > 0,
    canRedo: future.length > 0,
    undo: () => {
      if (!isForAllLatest) return edit({ type: 'undone' }, announcements.undone);
      store.send({ type: 'undone-for-all' });
      setNews(announcements.undone);
    },
    redo: () => edit({ type: 'redone' }, announcements.redone),
  };
};

export const useReview = (
  picture: MediaItem,
  options: ReviewOptions,
  onOptions: (options: ReviewOptions) => void,
): Review => {
  const messages = useMessages();
  const text = messages.review;
  const [selectedId, select] = useState<number | null>(null);
  const { news, setNews, edit } = useEdits(picture);
  const objects = useMemo(() => objectsOf(picture), [picture]);
  const undoing = useUndoing(picture, edit, setNews);
  const copying = useCopies(picture, () => setNews(text.announcements.copied));
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
    news,
    setOptions,
    select,
    change: (object, change, step) => {
      const announcement =
        change.hidden === undefined
          ? text.announcements.changed(nameOf(object))
          : text.announcements.switched(nameOf(object), !change.hidden);
      edit({ type: 'changed', id: object.id, change, ...(step === undefined ? {} : { step }) }, announcement);
    },
    remove: (object) => {
      select(neighbour(objects, object));
      edit({ type: 'deleted', id: object.id }, text.announcements.deleted(nameOf(object)));
    },
    draw: (outline) => {
      const area = { ...outline, type_label: options.drawnClass, key: nextKey(present) };
      edit({ type: 'drawn', area }, text.announcements.drawn);
      // After a stroke the brush stays selected for the next stroke.
      if (outline.shape !== 'stroke') takeHold(area.key);
    },
    keep: (box) => {
      const area = { ...ignoredArea(box), key: nextKey(present) };
      edit({ type: 'kept', area }, text.announcements.kept);
      takeHold(area.key);
    },
  };
};
