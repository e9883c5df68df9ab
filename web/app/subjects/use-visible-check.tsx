import { useState } from 'react';
import { mayShowPerson, type MediaItem } from '../../state/media-item';
import { useLoaded } from '../ui/use-loaded';
import type { CheckedExport } from './visible-faces';

const loadList = () => import('./visible-faces');

/**
 * Lists all visible faces before an export, if a person may be visible in one of the files.
 *
 * @returns `check`, and the open list
 */
export const useVisibleCheck = () => {
  const [waiting, setWaiting] = useState<CheckedExport>();
  const close = (): void => setWaiting(undefined);
  const loaded = useLoaded(waiting !== undefined, loadList, close);
  return {
    check: (items: readonly MediaItem[], run: CheckedExport['run']): void => {
      if (items.some(mayShowPerson)) setWaiting({ ids: items.map(({ id }) => id), run });
      else run(items);
    },
    list: waiting && loaded && <loaded.VisibleFaces {...waiting} onClose={close} />,
  };
};
