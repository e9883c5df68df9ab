import {
  useRef,
  useState,
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import type { MediaItem } from '../../state/media-item';
import { useMessages } from '../messages';
import { UndoButtons, useUndoKeys } from '../review/undoing';
import { Divider } from '../stage/divider';
import { StageFacts } from '../stage/stage-facts';
import { StageNotice } from '../stage/stage-notice';
import { useSize } from '../stage/use-size';
import { PlaybackBar } from './playback-bar';
import type { Playhead } from './playhead';
import { useDrawing } from './use-drawing';
import { useMuting } from './use-muting';
import { usePlayback } from './use-playback';
import { useSeek } from './use-seek';
import { useVideoFiles } from './use-video-files';
import { useVideoUndoing } from './use-video-undoing';
import { VideoComparison } from './video-comparison';
import { VideoOverlays } from './video-overlays';
import { VideoProgress } from './video-progress';
import styles from './video-stage.module.css';
import { VideoWarnings } from './video-warnings';
import { useLoaded } from '../ui/use-loaded';
import { Notice } from '../ui/notice';

const loadMuteTrack = () => import('./mute-track');

/** Share of the stage that shows the original. */
const MIDDLE = 0.5;

const canDrawOn = ({ status, result }: MediaItem): boolean =>
  status === 'done' && result?.video !== undefined && result.hasPicture;

const ProgressNotice = ({ picture }: { readonly picture: MediaItem }): ReactElement =>
  picture.status === 'processing' ? <VideoProgress picture={picture} /> : <StageNotice picture={picture} />;

/** Parts without sound. The code is loaded with the first video. */
const LoadedMuteTrack = (
  props: ComponentProps<Awaited<ReturnType<typeof loadMuteTrack>>['MuteTrack']>,
): ReactElement | null => {
  const loaded = useLoaded(true, loadMuteTrack);
  return loaded ? <loaded.MuteTrack {...props} /> : null;
};

/** Facts about the video, and undoing of its edits. */
const FactsBar = ({
  picture,
  canEdit,
}: {
  readonly picture: MediaItem;
  readonly canEdit: boolean;
}): ReactElement => {
  const undoing = useVideoUndoing(picture, canEdit);
  useUndoKeys(undoing);
  return (
    <div className={styles['facts']}>
      <StageFacts picture={picture} />
      <UndoButtons undoing={undoing} />
      <p className="visually-hidden" role="status">
        {undoing.news}
      </p>
    </div>
  );
};

/** Single letters must not act outside of the stage (WCAG 2.1.4). */
const stageKeys =
  (actions: Readonly<Record<string, (() => void) | undefined>>) =>
  (event: KeyboardEvent): void => {
    const act = actions[event.key];
    if (!act || event.target !== event.currentTarget) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };

/**
 * One video, before and after, at the same moment. While the stage has the focus, Space plays and pauses, and M begins
 * or ends a muted part.
 */
export const VideoStage = ({
  picture,
  playhead,
}: {
  readonly picture: MediaItem;
  /** Becomes this video's. */
  readonly playhead: RefObject<Playhead>;
}): ReactElement => {
  const messages = useMessages();
  const { file, status, result } = picture;
  const canvas = useRef<HTMLDivElement>(null);
  const stage = useSize(canvas);
  const [divider, setDivider] = useState(MIDDLE);
  const playback = usePlayback();
  const { originalUrl, resultUrl, isUnplayable, onOriginalUnplayable } = useVideoFiles(picture);
  const marked = useSeek(playback, canvas, playhead);
  const drawing = useDrawing(picture, playback, canvas);
  const canDraw = canDrawOn(picture);
  const muting = useMuting(picture, playback, canDraw);
  const isDrawing = drawing.isActive && canDraw;
  const canCompare = originalUrl !== null && resultUrl !== null;
  const original = canCompare ? divider : 0;

  return (
    <>
      <div
        ref={canvas}
        className={styles['canvas']}
        style={{ '--divider': `${original * 100}%` } as CSSProperties}
        role="group"
        aria-label={messages.stage.canvas(file.name)}
        data-main-focus
        data-testid="stage"
        tabIndex={0}
        onKeyDown={stageKeys({ ' ': playback.toggle, m: muting?.mark })}
      >
        <VideoComparison
          name={file.name}
          originalUrl={originalUrl}
          resultUrl={resultUrl}
          playback={playback}
          onOriginalUnplayable={onOriginalUnplayable}
        />
        {canCompare && !isDrawing && <Divider share={divider} onMove={setDivider} />}
        <VideoOverlays {...{ stage, result, marked, drawing, isDrawing }} shown={playback.shownSize()} />
        {isUnplayable && <Notice variant="cover">{messages.video.unplayable}</Notice>}
        <ProgressNotice picture={picture} />
      </div>
      {status !== 'failed' && (
        <PlaybackBar playback={playback} onDraw={canDraw ? drawing.begin : undefined} />
      )}
      <LoadedMuteTrack file={file} playback={playback} muting={muting} />
      <div className={styles['warnings']}>{result?.video && <VideoWarnings video={result.video} />}</div>
      <FactsBar picture={picture} canEdit={canDraw} />
    </>
  );
};
