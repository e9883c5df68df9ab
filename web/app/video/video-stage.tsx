import {
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { isAround, type MediaItem } from '../../state/media-item';
import { useMessages } from '../messages';
import { UndoButtons, useUndoKeys, useUndoing } from '../review/undoing';
import { Divider } from '../stage/divider';
import { AroundButton, StageFacts, type StageCanvasProps } from '../stage/stage-tools';
import { StageNotice, VideoProgress, VideoWarnings } from '../stage/stage-notice';
import { useSize } from '../stage/use-size';
import { type Playhead, usePlayback, useSeek, type Playback } from './use-playback';
import { useDrawing, VideoOverlays } from './use-drawing';
import { useMuting, type Muting } from './use-muting';
import { useVideoFiles } from '../stage/use-files';
import { VideoComparison } from '../stage/comparison';
import { keyHandler, type Keys } from '../ui/use-keys';
import { useLoaded } from '../ui/use-loaded';
import { Notice } from '../ui/notice';
import styles from '../stage/stage.module.css';
import { Button, IconButton } from '../ui/button';
import { Icon } from '../ui/icons';

const STEP_S = 0.01;

/** Plays and pauses both videos, and moves them to another moment. */
const PlaybackBar = ({
  playback: { isPlaying, timeS, durationS, toggle, seek },
  onDraw,
}: {
  readonly playback: Playback;
  /** Begins a box on the frame in view; undefined where there is nothing to draw on. */
  readonly onDraw: (() => void) | undefined;
}): ReactElement => {
  const text = useMessages().video;
  return (
    <div className={styles['bar']}>
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? text.pause : text.play}
        disabled={durationS === 0}
        onClick={toggle}
      />
      <input
        type="range"
        className={styles['position']}
        aria-label={text.position}
        aria-valuetext={text.time(timeS, durationS)}
        min={0}
        max={durationS}
        step={STEP_S}
        value={timeS}
        disabled={durationS === 0}
        onChange={({ currentTarget }) => seek(currentTarget.valueAsNumber)}
      />
      <span className={`soft figures ${styles['time']}`}>{text.time(timeS, durationS)}</span>
      {onDraw && (
        <Button variant="quiet" title={text.drawBoxTitle} disabled={durationS === 0} onClick={onDraw}>
          <Icon name="drawBox" />
          <span className="word">{text.drawBox}</span>
        </Button>
      )}
    </div>
  );
};

const loadMuteTrack = () => import('./mute-track');

/** Share of the stage that shows the original. */
const MIDDLE = 0.5;

/** What covers the stage: that the file cannot be played here, and how its processing goes. */
const Covers = ({
  item,
  isUnplayable,
}: {
  readonly item: MediaItem;
  readonly isUnplayable: boolean;
}): ReactElement => {
  const text = useMessages().video;
  return (
    <>
      {isUnplayable && <Notice variant="cover">{text.unplayable}</Notice>}
      {item.status === 'processing' ? <VideoProgress item={item} /> : <StageNotice item={item} />}
    </>
  );
};

/** Parts without sound. The code is loaded with the first video. */
const LoadedMuteTrack = ({
  muting,
  ...props
}: {
  readonly file: File;
  readonly playback: Playback;
  readonly muting: Muting | undefined;
}): ReactElement | null => {
  const loaded = useLoaded(true, loadMuteTrack);
  return loaded && muting ? <loaded.MuteTrack {...props} muting={muting} /> : null;
};

const loadSphere = () => import('../sphere/sphere-video');

/** The sphere in which a panorama is shown; undefined: it is shown flat. */
const useSphere = ({ item, options, onOptions }: StageCanvasProps) => {
  const isWanted = options.looksAround === true && isAround(item);
  const loaded = useLoaded(isWanted, loadSphere, () => onOptions({ ...options, looksAround: false }));
  const keys = useRef<Keys>({});
  return {
    Sphere: loaded?.SphereVideo,
    /** What keys do in the sphere. */
    keys,
    press:
      (others: Keys) =>
      (event: KeyboardEvent): void => {
        keyHandler({ ...others, ...keys.current })(event);
        // The arrows turn the view, and do not step through the files.
        if (event.key in keys.current) event.stopPropagation();
      },
  };
};

/** Warnings and facts about the video, and undoing of its edits. */
const FactsBar = ({ canEdit, ...props }: StageCanvasProps & { readonly canEdit: boolean }): ReactElement => {
  const { item } = props;
  const undoing = useUndoing(item, canEdit, false);
  useUndoKeys(undoing);
  const video = item.result?.video;
  return (
    <>
      <div className={styles['warnings']}>{video && <VideoWarnings video={video} />}</div>
      <div className={styles['tools']}>
        <StageFacts item={item} />
        <AroundButton {...props} />
        <UndoButtons undoing={undoing} />
        <p className="visually-hidden" role="status">
          {undoing.news}
        </p>
      </div>
    </>
  );
};

/**
 * One video, before and after, at the same moment. While the stage has the focus, Space plays and pauses, and M begins
 * or ends a muted part.
 */
export const VideoStage = ({
  playhead,
  ...props
}: StageCanvasProps & {
  /** Becomes this video's. */
  readonly playhead: RefObject<Playhead>;
}): ReactElement => {
  const { item } = props;
  const messages = useMessages();
  const { file, status, result } = item;
  const canvas = useRef<HTMLDivElement>(null);
  const stage = useSize(canvas);
  const [divider, setDivider] = useState(MIDDLE);
  const playback = usePlayback();
  const files = useVideoFiles(item);
  const drawing = useDrawing(item, playback, canvas);
  const { canDraw, isActive: isDrawing } = drawing;
  const marked = useSeek(playback, canvas, playhead, drawing.beginChange);
  const muting = useMuting(item, playback, canDraw);
  const canCompare = files.originalUrl !== null && files.resultUrl !== null;
  const { Sphere, keys, press } = useSphere(props);
  const original = canCompare && !Sphere ? divider : 0;

  return (
    <>
      <div
        ref={canvas}
        className={styles['canvas']}
        style={{ '--divider': `${original * 100}%` } as CSSProperties}
        role="group"
        aria-label={Sphere ? messages.panorama.canvas(file.name) : messages.stage.canvas(file.name)}
        data-main-focus
        data-testid="stage"
        tabIndex={0}
        onKeyDown={press({ ' ': playback.toggle, m: muting?.mark })}
      >
        <VideoComparison name={file.name} files={files} playback={playback} />
        {Sphere && result ? (
          <Sphere
            {...{ name: file.name, result, stage, playback, marked, drawing }}
            url={files.resultUrl ?? files.originalUrl}
            keys={keys}
          />
        ) : (
          <>
            {canCompare && !isDrawing && <Divider share={divider} onMove={setDivider} />}
            <VideoOverlays {...{ stage, result, marked, drawing, isDrawing }} shown={playback.shownSize()} />
          </>
        )}
        <Covers item={item} isUnplayable={files.isUnplayable} />
      </div>
      {status !== 'failed' && <PlaybackBar playback={playback} onDraw={drawing.begin} />}
      <LoadedMuteTrack file={file} playback={playback} muting={muting} />
      <FactsBar {...props} canEdit={canDraw} />
    </>
  );
};
