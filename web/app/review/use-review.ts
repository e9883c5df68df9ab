import { useEffect, useMemo, useState } from 'react';
import type { EditableObject } from '#shared/edits/list-objects';
import type { Outline } from '#shared/edits/edits';
import type { Box } from '#shared/pipeline/boxes';
import { nextAreaId, type EditEvent, type WantedChange } from '../../state/edit-history';
import { isVideo, type Picture } from '../../state/pictures';
import { objectsOf } from '../../state/revisable';
import { useMessages } from '../messages';
import { useServices } from '../services';
import type { ReviewOptions } from './tools';

/** The picture in view as something to edit. */
export interface Review {
  readonly objects: readonly EditableObject[];
  readonly selected: EditableObject | undefined;
  readonly options: ReviewOptions;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** What has just been done, for who does not see it. */
  readonly news: string;
  setOptions(options: Partial<ReviewOptions>): void;
  select(id: number | null): void;
  /** @param step see `EditEvent` */
  change(object: EditableObject, change: WantedChange, step?: string): void;
  remove(object: EditableObject): void;
  draw(outline: Outline): void;
  keep(box: Box): void;
  undo(): void;
  redo(): void;
}

/** Whether objects of the picture can be changed now. */
export const canReview = (picture: Picture): boolean =>
  picture.status === 'done' && picture.result?.revisable !== undefined && !isVideo(picture);

/** The object after the one that goes, or the one before it. */
const neighbour = (objects: readonly EditableObject[], { id }: EditableObject): number | null => {
  const at = objects.findIndex((object) => object.id === id);
  return (objects[at + 1] ?? objects[at - 1])?.id ?? null;
};

export const useReview = (
  picture: Picture,
  options: ReviewOptions,
  onOptions: (options: ReviewOptions) => void,
): Review => {
  const { store } = useServices();
  const messages = useMessages();
  const text = messages.review;
  const [selectedId, select] = useState<number | null>(null);
  const [news, setNews] = useState('');
  const objects = useMemo(() => objectsOf(picture), [picture]);
  const { past, present, future } = picture.edits;
  const selected = objects.find(({ id }) => id === selectedId);
  const nameOf = ({ origin, objectClass }: EditableObject): string =>
    origin === 'kept' ? text.keptArea : messages.oneOf(objectClass);

  useEffect(() => {
    if (!options.isOn) select(null);
  }, [options.isOn]);

  const edit = (event: EditEvent, said: string): void => {
    store.send({ type: 'edited', id: picture.id, edit: event });
    setNews(said);
  };
  return {
    objects,
    selected,
    options,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    news,
    setOptions: (changed) => onOptions({ ...options, ...changed }),
    select,
    change: (object, change, step) => {
      const said =
        change.isOff === undefined
          ? text.said.changed(nameOf(object))
          : text.said.switched(nameOf(object), change.isOff);
      edit({ type: 'changed', id: object.id, change, ...(step === undefined ? {} : { step }) }, said);
    },
    remove: (object) => {
      select(neighbour(objects, object));
      edit({ type: 'deleted', id: object.id }, text.said.deleted(nameOf(object)));
    },
    draw: (outline) => {
      const area = { id: nextAreaId(present), objectClass: options.drawnClass, outline };
      edit({ type: 'drawn', area }, text.said.drawn);
      select(area.id);
    },
    keep: (box) => {
      const area = { id: nextAreaId(present), box };
      edit({ type: 'kept', area }, text.said.kept);
      select(area.id);
    },
    undo: () => edit({ type: 'undone' }, text.said.undone),
    redo: () => edit({ type: 'redone' }, text.said.redone),
  };
};
