import { useState, type ReactElement } from 'react';
import { hasUnappliedEdits, type MediaItem } from '../../state/media-item';
import { isChanging, isSavable, saveAll, savePicture } from '../../state/save';
import { useMessages, type Messages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import { useVisibleCheck } from '../subjects/use-visible-check';
import { Notice } from '../ui/notice';

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
