import type { ReactElement } from 'react';
import { changesBySettings } from '../../state/for-all';
import { isStale, type MediaItem } from '../../state/media-item';
import { isRevisable } from '../../state/wanted-edits';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import styles from './for-all-notice.module.css';

/** Shows what applying would change in other images, or what was changed, with an undo button. */
export const ForAllNotice = ({ stale }: { readonly stale: readonly MediaItem[] }): ReactElement | null => {
  const text = useMessages().review.forAll;
  const { store } = useServices();
  const { settings, doneForAll } = useAppState();
  if (doneForAll) {
    return (
      <div className={styles['notice']} role="status" data-testid="done-for-all">
        {text.done(doneForAll.pictures.length)}
        <Button variant="quiet" onClick={() => store.send({ type: 'undone-for-all' })}>
          {text.undo}
        </Button>
      </div>
    );
  }
  const others = stale.filter((picture) => isStale(picture, settings));
  if (others.length === 0 || settings.classes.length === 0) return null;
  const { objects, pictures } = changesBySettings(others, settings);
  const searched = others.filter((picture) => !isRevisable(picture, settings)).length;
  return (
    <p className={styles['notice']} data-testid="apply-changes">
      {[
        ...(objects > 0 ? [text.changes(objects, pictures)] : []),
        ...(searched > 0 ? [text.reprocessed(searched)] : []),
      ].join(' · ')}
    </p>
  );
};
