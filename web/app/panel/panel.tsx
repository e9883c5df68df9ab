import { type ReactElement, useState } from 'react';
import { hasUnappliedEdits, isStale, isVideo, type MediaItem, needsDetection } from '../../state/media-item';
import { useMessages, type Messages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import type { Playhead } from '../video/use-playback';
import { SubjectButton } from '../subjects/subject-button';
import { useLoaded } from '../ui/use-loaded';
import { ClassChoice, ParameterTicks, QualityChoice, MethodChoice } from './choices';
import { ClassMethods, Thresholds } from './thresholds';
import { ModelHint } from './model-hint';
import { PanoramaChoice } from './panorama-choice';
import { RemovedMetadata } from './removed-metadata';
import styles from './panel.module.css';
import { isChanging, isSavable, saveAll, savePicture } from '../../state/save';
import { Icon } from '../ui/icons';
import { useVisibleCheck } from '../subjects/use-visible-check';
import { Notice } from '../ui/notice';
import { changesBySettings } from '../../state/for-all';
import { isEditable } from '../../state/wanted-edits';

/** Shows what applying would change in other images, or what was changed, with an undo button. */
const ForAllNotice = ({ stale }: { readonly stale: readonly MediaItem[] }): ReactElement | null => {
  const text = useMessages().review.forAll;
  const { store } = useServices();
  const { settings, doneForAll } = useAppState();
  if (doneForAll) {
    return (
      <Notice
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
    (picture) => !isEditable(picture, settings) && needsDetection(picture, settings),
  ).length;
  const changes = [
    ...(objects > 0 ? [text.changes(objects, pictures)] : []),
    ...(searched > 0 ? [text.reprocessed(searched)] : []),
  ].join(' · ');
  return <Notice data-testid="apply-changes">{changes.charAt(0).toUpperCase() + changes.slice(1)}</Notice>;
};

const canBeSaved = (picture: MediaItem | undefined): boolean =>
  picture !== undefined && isSavable(picture) && !isChanging([picture]);

/** Reason why the file cannot be downloaded, if it is not obvious. */
const noteOf = (picture: MediaItem, { panel, video }: Messages): string | false => {
  if (hasUnappliedEdits(picture)) return video.notApplied;
  return picture.result?.hasPicture === false && panel.nothingToDownload;
};

/** Downloads the result of the selected file, or all results. */
const Downloads = ({
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
  const [outcome, setOutcome] = useState<'saved' | 'failed'>();
  const { check, list } = useVisibleCheck();
  const savable = pictures.filter(isSavable).length;
  const canSave = canBeSaved(picture);

  const run = (work: Promise<unknown>): void => {
    setBusy(true);
    setOutcome(undefined);
    work
      .then(
        () => setOutcome('saved'),
        () => setOutcome('failed'),
      )
      .finally(() => setBusy(false));
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
      <Notice role="status">
        {outcome === 'failed'
          ? text.saveFailed
          : (picture && noteOf(picture, messages)) || (outcome && text.checkFirst)}
      </Notice>
      {list}
    </>
  );
};

const loadRelease = () => import('../release/release-notice');

/** Whether a result waits for its release. The code is loaded with the first one. */
const Release = ({ picture }: { readonly picture: MediaItem }): ReactElement | null => {
  const { result } = picture;
  const loaded = useLoaded(result?.waitsForRelease === true && picture.status === 'done', loadRelease);
  const canRelease = !hasUnappliedEdits(picture) && !isChanging([picture]);
  return loaded && result ? <loaded.ReleaseNotice {...{ result, canRelease }} /> : null;
};

const loadTracks = () => import('../video/tracks-section');

/** The objects of a video. The code is loaded with the first one. */
const LoadedTracks = ({
  picture,
  playhead,
}: {
  readonly picture: MediaItem;
  readonly playhead: Playhead;
}): ReactElement | null => {
  const { result } = picture;
  const isWanted = result?.video !== undefined && result.hasPicture;
  const loaded = useLoaded(isWanted, loadTracks);
  return loaded && result ? <loaded.TracksSection {...{ picture, result, playhead }} /> : null;
};

const loadText = () => import('./text-choice');

/** Which text is hidden, where text is hidden at all. */
const LoadedTextChoice = (): ReactElement | null => {
  const loaded = useLoaded(useAppState().settings.classes.includes('text'), loadText);
  return loaded ? <loaded.TextChoice /> : null;
};

const loadMore = () => import('./more-settings');

/** Settings that few need. */
const More = (): ReactElement => {
  const [isOpen, setOpen] = useState(false);
  const loaded = useLoaded(isOpen, loadMore);
  return (
    <details className={styles['folded']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{useMessages().panel.more}</summary>
      {loaded && <loaded.MoreSettings />}
    </details>
  );
};

/** Settings for all files, and the buttons to apply and download. */
export const Panel = ({
  picture,
  playhead,
}: {
  readonly picture: MediaItem | undefined;
  readonly playhead: Playhead;
}): ReactElement => {
  const text = useMessages().panel;
  const { store } = useServices();
  const { pictures, settings } = useAppState();
  const stale = pictures.filter((other) => isStale(other, settings) || hasUnappliedEdits(other));
  const canApply = stale.length > 0 && settings.classes.length > 0;
  return (
    <aside className={`card ${styles['panel']}`} aria-label={text.title}>
      <div className={styles['settings']}>
        <ClassChoice picture={picture} />
        <LoadedTextChoice />
        <MethodChoice />
        <ClassMethods />
        <SubjectButton />
        <QualityChoice />
        <PanoramaChoice picture={picture} />
        <ModelHint />
        <Thresholds picture={picture} />
        {pictures.some(isVideo) && <ParameterTicks on="videos" />}
        {picture && <LoadedTracks key={picture.id} picture={picture} playhead={playhead} />}
        <More />
        {picture &&
          (isVideo(picture) ? <ParameterTicks on="metadata" /> : <RemovedMetadata picture={picture} />)}
      </div>
      <div className={`stack ${styles['actions']}`}>
        <Button
          className={styles['apply']}
          variant={canApply ? 'primary' : 'secondary'}
          disabled={!canApply}
          onClick={() => store.send({ type: 'applied' })}
        >
          {canApply ? text.applyTo(stale.length, stale.some(isVideo)) : text.apply}
        </Button>
        <ForAllNotice stale={stale} />
        {picture && <Release picture={picture} />}
        <Downloads picture={picture} pictures={pictures} isFirstChoice={!canApply} />
      </div>
    </aside>
  );
};
