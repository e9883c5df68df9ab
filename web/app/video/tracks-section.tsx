import { useState, type ReactElement } from 'react';
import type { TimeRange, VideoEdits } from '#shared/domain/video-edits';
import { needsDetection, type MediaItem, type MediaResult } from '../../state/media-item';
import {
  hasTrackEdits,
  isTrack,
  rangeOf,
  withDrawnRange,
  withoutDrawn,
  withRange,
} from '../../state/video-edits';
import { spansOf, withTrackHidden } from '../../state/subjects/track-visibility';
import { useMessages, type Messages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { DrawnRow } from './drawn-row';
import type { Playhead } from './playhead';
import { TrackRow } from './track-row';
import styles from './tracks-section.module.css';
import { useCrops, type NamedCrop } from './use-crops';
import { drawnObjects, tracksByLength, type DrawnObject, type Track } from './listed-tracks';
import { Notice } from '../ui/notice';
import { useLoaded } from '../ui/use-loaded';

const loadSpans = () => import('../subjects/shown-spans');

/** Shown at first, and with each "more": each of them costs a seek for its thumbnail. */
const AT_ONCE = 24;

const cropsOf = (tracks: readonly Track[], drawn: readonly DrawnObject[]): readonly NamedCrop[] => [
  ...tracks.map(({ id, seen, x, y, width, height }) => ({
    name: `track ${id}`,
    atS: seen.bestS,
    box: { x1: x, y1: y, x2: x + width, y2: y + height },
  })),
  ...drawn.map(({ id, atS, box }) => ({ name: `drawn ${id} ${atS}`, atS, box })),
];

/** Warning to show before saving. */
const stateOf = (picture: MediaItem, isSearchedAgain: boolean, text: Messages['video']): string => {
  if (picture.revision === 'failed') return [text.notAppliedFailed, picture.error ?? []].flat().join(' ');
  if (isSearchedAgain && hasTrackEdits(picture.videoEdits)) return text.editsWillReset;
  if (picture.haveTracksChanged) return text.editsReset;
  return '';
};

const DrawnList = ({
  drawn,
  urls,
  playhead,
  onRange,
  onRemove,
}: {
  readonly drawn: readonly DrawnObject[];
  readonly urls: ReadonlyMap<string, string>;
  readonly playhead: Playhead;
  readonly onRange: (id: number, range: TimeRange | undefined) => void;
  readonly onRemove: (id: number) => void;
}): ReactElement | null => {
  const text = useMessages().video;
  if (drawn.length === 0) return null;
  return (
    <>
      <h3 className={styles['title']}>{text.drawn}</h3>
      <ul className={styles['list']}>
        {drawn.map((one) => (
          <DrawnRow
            key={one.id}
            drawn={one}
            thumbnailUrl={urls.get(`drawn ${one.id} ${one.atS}`)}
            playhead={playhead}
            onRange={(range) => onRange(one.id, range)}
            onRemove={() => onRemove(one.id)}
          />
        ))}
      </ul>
    </>
  );
};

/** The rows of detected objects. */
const TrackList = ({
  picture,
  tracks,
  urls,
  playhead,
  onEdit,
}: {
  readonly picture: MediaItem;
  readonly tracks: readonly Track[];
  readonly urls: ReadonlyMap<string, string>;
  readonly playhead: Playhead;
  readonly onEdit: (edits: VideoEdits) => void;
}): ReactElement => {
  const { videoEdits, result } = picture;
  const loaded = useLoaded(result?.video?.shown !== undefined, loadSpans);
  return (
    <ul className={styles['list']}>
      {tracks.map((track) => {
        const { id } = track;
        const spans = spansOf(picture, id);
        // Nothing is shown while the text is loaded.
        const shown = loaded ? <loaded.ShownSpans spans={spans} /> : null;
        return (
          <TrackRow
            key={id}
            track={track}
            thumbnailUrl={urls.get(`track ${id}`)}
            isHidden={spans.length === 0 && !videoEdits.visibleTracks.includes(id)}
            shown={spans.length > 0 ? shown : undefined}
            range={rangeOf(videoEdits, id)}
            playhead={playhead}
            onHide={(isHidden) => onEdit(withTrackHidden(picture, id, isHidden))}
            onRange={(range) => onEdit(withRange(videoEdits, id, range))}
          />
        );
      })}
    </ul>
  );
};

/** Detected objects and drawn boxes of a video, each of which can be shown, disabled or removed. */
export const TracksSection = ({
  picture,
  result,
  playhead,
}: {
  readonly picture: MediaItem;
  readonly result: MediaResult;
  readonly playhead: Playhead;
}): ReactElement => {
  const text = useMessages().video;
  const { store } = useServices();
  const { settings } = useAppState();
  const [limit, setLimit] = useState(AT_ONCE);
  const tracks = tracksByLength(result.objects.filter(isTrack));
  const shown = tracks.slice(0, limit);
  const drawn = drawnObjects(picture.videoEdits, result);
  const urls = useCrops(picture.file, result, cropsOf(shown, drawn));
  const { id, videoEdits } = picture;
  const edit = (edits: VideoEdits): void => store.send({ type: 'video-edited', id, edits });
  return (
    <section aria-label={text.tracks} data-testid="tracks">
      <h3 className={styles['title']}>{text.tracks}</h3>
      <p className={styles['hint']}>{tracks.length > 0 ? text.tracksHint : text.noTracks}</p>
      <TrackList {...{ picture, urls, playhead }} tracks={shown} onEdit={edit} />
      {tracks.length > shown.length && (
        <Button variant="quiet" onClick={() => setLimit(limit + AT_ONCE)}>
          {text.moreTracks(Math.min(AT_ONCE, tracks.length - shown.length))}
        </Button>
      )}
      <DrawnList
        drawn={drawn}
        urls={urls}
        playhead={playhead}
        onRange={(one, range) => edit(withDrawnRange(videoEdits, one, range))}
        onRemove={(one) => edit(withoutDrawn(videoEdits, one))}
      />
      <Notice variant="box" role="status" data-testid="edits-state">
        {stateOf(picture, needsDetection(picture, settings), text)}
      </Notice>
    </section>
  );
};
