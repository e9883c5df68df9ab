import { useState, type ReactElement } from 'react';
import { hasUnappliedEdits, type MediaItem, isStale, needsDetection } from '../../state/media-item';
import { isChanging, isSavable, saveAll, savePicture } from '../../state/save';
import { useMessages, type Messages } from '../messages';
import { useServices, useAppState } from '../services';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import { useVisibleCheck } from '../subjects/use-visible-check';
import { Notice } from '../ui/notice';
import { changesBySettings } from '../../state/for-all';
import { isRevisable } from '../../state/wanted-edits';

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

const canBeSaved = (picture: MediaItem | undefined): boolean =>
  picture !== undefined && isSavable(picture) && !isChanging([picture]);

/** Reason why the file cannot be downloaded, if it is not obvious. */
const noteOf = (picture: MediaItem, { panel, video }: Messages): string | false => {
  if (hasUnappliedEdits(picture)) return video.notApplied;
  return picture.result?.hasPicture === false && panel.nothingToDownload;
};

/** Downloads the result of the selected file, or all results. */
export const Downloads = ({
  picture,
  pictures,
  isFirstChoice,
}: {
  readonly picture: MediaItem | undefined;
  readonly pictures: readonly MediaItem[];
  /** Whether downloading is probably the next action. */
  readonly isFirstChoice: boolean;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.panel;
  const { anonymiser } = useServices();
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const { check, list } = useVisibleCheck();
  const savable = pictures.filter(isSavable).length;
  const canSave = canBeSaved(picture);

  const run = (work: Promise<unknown>): void => {
    setBusy(true);
    setFailed(false);
    work.catch(() => setFailed(true)).finally(() => setBusy(false));
  };
  return (
    <>
      <Button
        variant={isFirstChoice && canSave ? 'primary' : 'secondary'}
        disabled={!canSave || isBusy}
        onClick={() => picture && check([picture], ([one]) => one && run(savePicture(one, anonymiser)))}
      >
        <Icon name="download" />
        {text.download}
      </Button>
      {pictures.length > 1 && (
        <Button
          disabled={savable === 0 || isBusy || isChanging(pictures)}
          onClick={() => check(pictures, (all) => run(saveAll(all, anonymiser, text.archiveName)))}
        >
          {isBusy ? text.packing : text.downloadAll(savable)}
        </Button>
      )}
      <Notice variant="line" role="status">
        {hasFailed ? text.saveFailed : picture && noteOf(picture, messages)}
      </Notice>
      {list}
    </>
  );
};
