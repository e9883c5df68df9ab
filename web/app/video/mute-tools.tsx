import { useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { clamp } from '#shared/domain/clamp';
import type { MutedPart } from '#shared/domain/edits/edits';
import { useMessages } from '../messages';
import { Button, IconButton } from '../ui/button';
import { Select } from '../ui/inputs';
import { ReasonSelect } from '../ui/selects';
import styles from './mute-track.module.css';
import type { Muting } from './use-muting';
import type { Playback } from './use-playback';

/** Zoom of the track: 1 fits it into the page. */
const ZOOM = { step: 2, max: 16 } as const;
/** Shorter sounds are seen as a whole. */
const MIN_ZOOMED_S = 5;

/** Widens the track, around the moment in view. `zoomBy` is undefined where the sound is too short for buttons. */
export const useZoom = ({ timeS, durationS }: Pick<Playback, 'timeS' | 'durationS'>) => {
  const [zoom, setZoom] = useState(1);
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = frame;
    if (current) current.scrollLeft = (timeS / durationS) * current.scrollWidth - current.clientWidth / 2;
    // It follows the zoom, and not the moment.
  }, [zoom]);
  const zoomBy = (by: number): void => setZoom((before) => clamp(before * by, 1, ZOOM.max));
  const zoomKeys = { '+': () => zoomBy(ZOOM.step), '-': () => zoomBy(1 / ZOOM.step) };
  return { zoom, frame, zoomBy: durationS >= MIN_ZOOMED_S ? zoomBy : undefined, zoomKeys };
};

const withKind = ({ as: _before, ...part }: MutedPart, as: NonNullable<MutedPart['as']>): MutedPart =>
  as === 'bleep' ? { ...part, as } : part;

const withReason = ({ reason: _before, ...part }: MutedPart, reason: string | undefined): MutedPart =>
  reason === undefined ? part : { ...part, reason };

const kindOf = ({ as = 'silence' }: MutedPart): NonNullable<MutedPart['as']> => as;

/** Next to the track: its zoom, what is heard in a part, and a button that begins or ends one. */
export const MuteTools = ({
  muting: { openS, mark },
  chosen,
  onChoose,
  zoom,
}: {
  readonly muting: Muting;
  /** The part of which kind and reason are chosen; undefined: there is none. */
  readonly chosen: MutedPart | undefined;
  readonly onChoose: (part: MutedPart) => void;
  /** Undefined where the sound is too short for it. */
  readonly zoom: ((by: number) => void) | undefined;
}): ReactElement => {
  const { video, stage } = useMessages();
  const text = video.muting;
  return (
    <div className={styles['tools']}>
      {zoom && (
        <>
          <IconButton icon="minus" label={stage.zoomOut} onClick={() => zoom(1 / ZOOM.step)} />
          <IconButton icon="add" label={stage.zoomIn} onClick={() => zoom(ZOOM.step)} />
        </>
      )}
      {chosen && (
        <>
          <Select
            label={text.instead}
            value={kindOf(chosen)}
            options={[
              ['silence', text.silence],
              ['bleep', text.bleep],
            ]}
            onChoose={(as) => onChoose(withKind(chosen, as))}
          />
          <ReasonSelect
            label={text.reason}
            value={chosen.reason}
            onChoose={(reason) => onChoose(withReason(chosen, reason))}
          />
        </>
      )}
      <Button variant="quiet" title={text.hint} aria-pressed={openS !== undefined} onClick={mark}>
        {openS === undefined ? text.begin : text.finish}
      </Button>
    </div>
  );
};
