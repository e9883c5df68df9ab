import type { ComponentProps, KeyboardEvent, ReactElement, ReactNode } from 'react';
import type { TimeRange } from '../../state/video-edits';
import { useMessages, type Messages } from '../messages';
import { SubjectButton } from '../subjects/subject-button';
import { useSettings } from '../services';
import { IconButton } from '../ui/button';
import { ReasonSelect } from '../ui/selects';
import { hasModifier } from '../ui/use-keys';
import { samplesOf, type DrawnObject, type Track } from './listed-tracks';
import type { Playhead, SeekTarget } from './use-playback';
import styles from './video.module.css';

interface RowProps extends ComponentProps<'li'> {
  readonly thumbnailUrl: string | undefined;
  /** Where the thumbnail leads, with its name. */
  readonly target: SeekTarget & { readonly name: string };
  readonly playhead: Playhead;
  /** When it is the other way round. */
  readonly range: TimeRange | undefined;
  /** What applies within the range. */
  readonly rangeName: string;
  /** The button that adds a range. */
  readonly add: {
    readonly label: string;
    readonly title: string;
    readonly range: (nowS: number) => TimeRange;
  };
  readonly onRange: (range: TimeRange | undefined) => void;
  /** After the button that adds a range. */
  readonly more?: ReactNode;
}

/** Time range of an object or a drawn box. Each end is set to the current position. */
const RangeFields = ({
  rangeName,
  range: { start, end },
  playhead,
  onRange,
}: Pick<RowProps, 'rangeName' | 'playhead' | 'onRange'> & { readonly range: TimeRange }): ReactElement => {
  const text = useMessages().video.range;
  const from = text.from(start);
  const until = end === undefined ? text.untilEnd : text.until(end);
  const setStart = (nowS: number): void =>
    onRange({ start: nowS, ...(end !== undefined && { end: Math.max(nowS, end) }) });
  const setEnd = (nowS: number): void => onRange({ start: Math.min(nowS, start), end: nowS });
  return (
    <div className={`row ${styles['range']}`} role="group" aria-label={rangeName} data-testid="range">
      <span className={styles['name']}>{rangeName}</span>
      {(
        [
          ['start', from, setStart],
          ['end', until, setEnd],
        ] as const
      ).map(([key, name, set]) => (
        <button
          key={key}
          type="button"
          title={text.set(name)}
          aria-label={text.set(name)}
          onClick={() => set(playhead.nowS())}
        >
          {name}
        </button>
      ))}
      <IconButton icon="close" label={text.remove} onClick={() => onRange(undefined)} />
    </div>
  );
};

/** A row of the list: a thumbnail that leads to the object, what it is, and the range in which it is otherwise. */
export const ObjectRow = ({
  thumbnailUrl,
  target,
  playhead,
  range,
  rangeName,
  add,
  onRange,
  more,
  children,
  ...props
}: RowProps): ReactElement => (
  <li {...props} className="row">
    <button
      type="button"
      className={`fitted ${styles['thumbnail']}`}
      title={target.name}
      aria-label={target.name}
      onClick={() => playhead.seek(target)}
    >
      {thumbnailUrl && <img src={thumbnailUrl} alt="" />}
    </button>
    {children}
    {!range && (
      <IconButton
        icon="range"
        label={add.label}
        title={add.title}
        onClick={() => onRange(add.range(playhead.nowS()))}
      />
    )}
    {more}
    {range && <RangeFields {...{ rangeName, range, playhead, onRange }} />}
  </li>
);

export type ListedProps = Pick<RowProps, 'thumbnailUrl' | 'range' | 'playhead' | 'onRange'>;

/** Behind the beginning of its last frame. */
const TO_ITS_END_S = 0.2;

/** From the moment in view to its end, or all of it where it is not in view. */
const trackRange =
  ({ firstS, lastS }: Track['seen']) =>
  (nowS: number): TimeRange => ({
    start: nowS > firstS && nowS < lastS ? nowS : firstS,
    end: lastS + TO_ITS_END_S,
  });

const LAST_KEY = 9;

/** The keys 1 to 9 choose a reason, except in the list of reasons itself. */
const useReasonKeys = (onReason: (code: string) => void) => {
  const { stated } = useSettings().settings;
  return (event: KeyboardEvent): void => {
    const number = Number(event.key);
    const code = stated?.codes[number - 1]?.code;
    const isTaken = hasModifier(event) || event.target instanceof HTMLSelectElement;
    if (!code || number > LAST_KEY || isTaken) {
      return;
    }
    event.preventDefault();
    onReason(code);
  };
};

/** Whether an object is hidden, with its name and when it is in view. */
const HideBox = ({
  name,
  span,
  isHidden,
  onHide,
}: {
  readonly name: string;
  readonly span: string;
  readonly isHidden: boolean;
  readonly onHide: (isHidden: boolean) => void;
}): ReactElement => (
  <label className={`option ${styles['label']}`}>
    <input
      type="checkbox"
      checked={isHidden}
      aria-label={useMessages().video.track(name, span)}
      onChange={({ currentTarget }) => onHide(currentTarget.checked)}
    />
    <span>
      {name}
      <small>{span}</small>
    </span>
  </label>
);

/** One object of a video: an image that leads to it, whether it is hidden, and when not. */
export const TrackRow = ({
  track,
  isHidden,
  shown,
  onHide,
  reason,
  onReason,
  ...props
}: ListedProps & {
  readonly track: Track;
  readonly isHidden: boolean;
  /** When it is visible because of the person who stays visible; absent for all other tracks. */
  readonly shown?: ReactNode;
  readonly onHide: (isHidden: boolean) => void;
  readonly reason: string | undefined;
  readonly onReason: (code: string | undefined) => void;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.video;
  const { id, objectClass, seen } = track;
  const name = messages.objectName(objectClass);
  const span = text.span(seen.firstS, seen.lastS);
  // A range takes the place of the person: the track is then visible in the range alone.
  const isUsuallyHidden = isHidden || shown !== undefined;
  return (
    <ObjectRow
      {...props}
      target={{ name: text.showTrack(name, span), atS: seen.bestS, object: track }}
      rangeName={isUsuallyHidden ? text.range.visible : text.range.hidden}
      add={{
        label: text.range.add(name, span),
        title: isUsuallyHidden ? text.range.addVisible : text.range.addHidden,
        range: trackRange(seen),
      }}
      more={
        <>
          <IconButton
            icon="pencil"
            label={text.change(name, span)}
            onClick={() => props.playhead.change?.(track)}
          />
          {shown}
        </>
      }
      data-testid="track"
      data-track={id}
      data-class={objectClass}
      onKeyDown={useReasonKeys(onReason)}
    >
      <HideBox {...{ name, span, isHidden, onHide }} />
      <ReasonSelect
        label={text.reason(name, span)}
        objectClass={objectClass}
        value={reason}
        onChoose={onReason}
      />
      {objectClass === 'face' && <SubjectButton faces={samplesOf(track)} name={`${name}, ${span}`} />}
    </ObjectRow>
  );
};

/** A lost object stays hidden for a moment, not until the end of the video. */
const lossOf = ({ followed, range }: DrawnObject, text: Messages['video']): string | undefined => {
  if (!followed || followed.seen_until >= followed.until) return undefined;
  const lost = range ? text.boxStays : text.boxLost;
  return lost(followed.seen_until, followed.until);
};

/** A second from its frame on, or to the moment in view. */
const MIN_RANGE_S = 1;
const drawnRange =
  ({ atS }: DrawnObject) =>
  (nowS: number): TimeRange => ({ start: atS, end: nowS > atS ? nowS : atS + MIN_RANGE_S });

/** Row of a drawn box: its time range and a button to remove it. */
export const DrawnRow = ({
  drawn,
  onRemove,
  ...props
}: Omit<ListedProps, 'range'> & {
  readonly drawn: DrawnObject;
  readonly onRemove: () => void;
}): ReactElement => {
  const text = useMessages().video;
  const { atS, followed, range } = drawn;
  const span = followed ? text.span(followed.from, followed.until) : text.boxFrom(atS);
  const loss = lossOf(drawn, text);
  return (
    <ObjectRow
      {...props}
      target={{ name: text.goToBox(span), atS }}
      range={range}
      rangeName={text.range.box}
      add={{ label: text.range.addToBox(span), title: text.range.addBox, range: drawnRange(drawn) }}
      more={<IconButton icon="trash" label={text.removeBox(span)} onClick={onRemove} />}
      data-testid="drawn"
    >
      <span className={`option ${styles['label']}`}>
        <span>
          {text.drawnBox}
          <small>{span}</small>
          {loss && <small className={styles['loss']}>{loss}</small>}
        </span>
      </span>
    </ObjectRow>
  );
};
