import { type ReactElement, useState } from 'react';
import { hasUnappliedEdits, isStale, isVideo, type MediaItem, needsDetection } from '../../state/media-item';
import { useMessages, type Messages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import type { Playhead } from '../video/use-playback';
import { SubjectButton } from '../subjects/subject-button';
import { useLoaded } from '../ui/use-loaded';
import { ClassChoice, ParameterCheckboxes, QualityChoice, MethodChoice } from './choices';
import { ClassMethods, Thresholds } from './thresholds';
import { ModelHint } from './model-hint';
import { PanoramaChoice } from './panorama-choice';
import { RemovedMetadata } from './removed-metadata';
import styles from './panel.module.css';
import { hasOutdatedResults, isSavable, saveAll, saveItem } from '../../state/save';
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
        {text.done(doneForAll.images.length)}
      </Notice>
    );
  }
  const others = stale.filter((item) => isStale(item, settings));
  if (others.length === 0 || settings.classes.length === 0) return null;
  const { objects, images } = changesBySettings(others, settings);
  const searched = others.filter(
    (item) => !isEditable(item, settings) && needsDetection(item, settings),
  ).length;
  const changes = [
    ...(objects > 0 ? [text.changes(objects, images)] : []),
    ...(searched > 0 ? [text.reprocessed(searched)] : []),
  ].join(' · ');
  return <Notice data-testid="apply-changes">{changes.charAt(0).toUpperCase() + changes.slice(1)}</Notice>;
};

const canBeSaved = (item: MediaItem | undefined): boolean =>
  item !== undefined && isSavable(item) && !hasOutdatedResults([item]);

/** Reason why the file cannot be downloaded, if it is not obvious. */
const noteOf = (item: MediaItem, { panel, video }: Messages): string | false => {
  if (hasUnappliedEdits(item)) return video.notApplied;
  return item.result?.hasImage === false && panel.nothingToDownload;
};

/** Downloads the result of the selected file, or all results. */
const Downloads = ({
  item,
  items,
  isFirstChoice,
}: {
  readonly item: MediaItem | undefined;
  readonly items: readonly MediaItem[];
  /** Whether downloading is probably the next action. */
  readonly isFirstChoice: boolean;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.panel;
  const { anonymiser } = useServices();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<'saved' | 'failed'>();
  const { check, list } = useVisibleCheck();
  const savable = items.filter(isSavable).length;
  const canSave = canBeSaved(item);

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
        onClick={() => item && check([item], ([one]) => one && run(saveItem(one, anonymiser)))}
      >
        <Icon name="download" />
        {text.download}
      </Button>
      {items.length > 1 && (
        <Button
          disabled={savable === 0 || isBusy || hasOutdatedResults(items)}
          onClick={() => check(items, (all) => run(saveAll(all, anonymiser, text.archiveName)))}
        >
          {isBusy ? text.packing : text.downloadAll(savable)}
        </Button>
      )}
      <Notice role="status">
        {outcome === 'failed'
          ? text.saveFailed
          : (item && noteOf(item, messages)) || (outcome && text.checkFirst)}
      </Notice>
      {list}
    </>
  );
};

const loadRelease = () => import('../release/release-notice');

/** Whether a result waits for its release. The code is loaded with the first one. */
const Release = ({ item }: { readonly item: MediaItem }): ReactElement | null => {
  const { result } = item;
  const loaded = useLoaded(result?.waitsForRelease === true && item.status === 'done', loadRelease);
  const canRelease = !hasUnappliedEdits(item) && !hasOutdatedResults([item]);
  return loaded && result ? <loaded.ReleaseNotice {...{ result, canRelease }} /> : null;
};

const loadTracks = () => import('../video/tracks-section');

/** The objects of a video. The code is loaded with the first one. */
const LoadedTracks = ({
  item,
  playhead,
}: {
  readonly item: MediaItem;
  readonly playhead: Playhead;
}): ReactElement | null => {
  const { result } = item;
  const isWanted = result?.video !== undefined && result.hasImage;
  const loaded = useLoaded(isWanted, loadTracks);
  return loaded && result ? <loaded.TracksSection {...{ item, result, playhead }} /> : null;
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
  item,
  playhead,
}: {
  readonly item: MediaItem | undefined;
  readonly playhead: Playhead;
}): ReactElement => {
  const text = useMessages().panel;
  const { store } = useServices();
  const { items, settings } = useAppState();
  const stale = items.filter((other) => isStale(other, settings) || hasUnappliedEdits(other));
  const canApply = stale.length > 0 && settings.classes.length > 0;
  return (
    <aside className={`card ${styles['panel']}`} aria-label={text.title}>
      <div className={styles['settings']}>
        <ClassChoice item={item} />
        <LoadedTextChoice />
        <MethodChoice />
        <ClassMethods />
        <SubjectButton />
        <QualityChoice />
        <PanoramaChoice item={item} />
        <ModelHint />
        <Thresholds item={item} />
        {items.some(isVideo) && <ParameterCheckboxes on="videos" />}
        {item && <LoadedTracks key={item.id} item={item} playhead={playhead} />}
        <More />
        {item && (isVideo(item) ? <ParameterCheckboxes on="metadata" /> : <RemovedMetadata item={item} />)}
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
        {item && <Release item={item} />}
        <Downloads item={item} items={items} isFirstChoice={!canApply} />
      </div>
    </aside>
  );
};
