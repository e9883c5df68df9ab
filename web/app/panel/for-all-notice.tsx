import type { ReactElement } from 'react';
import { changesBySettings } from '../../state/for-all';
import { isStale, needsDetection, type MediaItem } from '../../state/media-item';
import { isRevisable } from '../../state/wanted-edits';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';

/** Shows what applying would change in other images, or what was changed, with an undo button. */
export const ForAllNotice = ({ stale }: { readonly stale: readonly MediaItem[] }): ReactElement | null => {
  const text = useMessages().review.forAll;
  const { store } = useServices();
  const { settings, doneForAll } = useAppState();
  if (doneForAll) {
    return (
      <Notice
        variant="line"
        role="status"
        data-testid="done-for-all"
        actions={
          <Button variant="quiet" onClick={() => store.send({ type: 'undone-for-all' })}>
            {text.undo}
          </Button>
        }
      >
        {text.done(doneForAll.pictures.length)}
      </Notice>
    );
  }
  const others = stale.filter((picture) => isStale(picture, settings));
  if (others.length === 0 || settings.classes.length === 0) return null;
  const { objects, pictures } = changesBySettings(others, settings);
  const searched = others.filter(
    (picture) => !isRevisable(picture, settings) && needsDetection(picture, settings),
  ).length;
  const changes = [
    ...(objects > 0 ? [text.changes(objects, pictures)] : []),
    ...(searched > 0 ? [text.reprocessed(searched)] : []),
  ].join(' · ');
  return (
    <Notice variant="line" data-testid="apply-changes">
      {changes.charAt(0).toUpperCase() + changes.slice(1)}
    </Notice>
  );
};
