import { useState, type ReactElement } from 'react';
import { editOf, type ItemEdits } from '../../state/edit-history';
import { needsDetection, type MediaItem, type MediaResult } from '../../state/media-item';
import {
  hasTrackEdits,
  isTrack,
  isTrackHidden,
  rangeOf,
  withDrawnRange,
  withoutDrawn,
  withRange,
  withTrackReason,
} from '../../state/video-edits';
import { spansOf, withTrackHidden } from '../../state/subjects/track-visibility';
import { useMessages, type Messages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import type { Playhead } from './use-playback';
import { cropsOfHidden, HiddenList } from './hidden-list';
import { DrawnRow, TrackRow } from './track-row';
import {
  type NamedCrop,
  type DrawnObject,
  type Track,
  useCrops,
  drawnObjects,
  tracksByLength,
} from './listed-tracks';
import { Notice } from '../ui/notice';
import { useLoaded } from '../ui/use-loaded';
import styles from './video.module.css';

const loadSpans = () => import('../subjects/shown-spans');

/** Shown at first, and with each "more": each of them costs a seek for its thumbnail. */
const AT_ONCE = 24;

const cropsOf = (tracks: readonly Track[], drawn: readonly DrawnObject[]): readonly NamedCrop[] => [
  ...tracks.map(({ id, seen, x, y, width, height }) => ({
    name: `track ${id}`,
    atS: seen.bestS,
    box: { x1: x, y1: y, x2: x + width, y2: y + height },
  })),
  ...drawn.map(({ key, atS, box }) => ({ name: `drawn ${key} ${atS}`, atS, box })),
];

/** Warning to show before saving. */
const stateOf = (item: MediaItem, isSearchedAgain: boolean, { video: text, said }: Messages): string => {
  if (item.revision === 'failed') {
    return [text.notAppliedFailed, item.error === null ? [] : said(item.error)].flat().join(' ');
  }
  if (isSearchedAgain && hasTrackEdits(item.edits.present)) return text.editsWillReset;
  if (item.haveTracksChanged) return text.editsReset;
  return '';
};

/** The rows of detected objects. */
const TrackList = ({
  item,
  tracks,
  urls,
  playhead,
  onEdit,
}: {
  readonly item: MediaItem;
  readonly tracks: readonly Track[];
  readonly urls: ReadonlyMap<string, string>;
  readonly playhead: Playhead;
  readonly onEdit: (edits: ItemEdits) => void;
}): ReactElement => {
  const { result } = item;
  const edits = item.edits.present;
  const loaded = useLoaded(result?.video?.shown !== undefined, loadSpans);
  return (
    <ul className={styles['list']}>
      {tracks.map((track) => {
        const { id } = track;
        const spans = spansOf(item, edits, id);
        // Nothing is shown while the text is loaded.
        const shown = loaded ? <loaded.ShownSpans spans={spans} /> : null;
        return (
          <TrackRow
            key={id}
            track={track}
            thumbnailUrl={urls.get(`track ${id}`)}
            isHidden={spans.length === 0 && isTrackHidden(edits, id)}
            shown={spans.length > 0 ? shown : undefined}
            range={rangeOf(edits, id)}
            playhead={playhead}
            onHide={(isHidden) => onEdit(withTrackHidden(item, edits, id, isHidden))}
            onRange={(range) => onEdit(withRange(edits, id, range))}
            reason={editOf(edits, id)?.reason}
            onReason={(reason) => onEdit(withTrackReason(edits, id, reason))}
          />
        );
      })}
    </ul>
  );
};

/** Detected objects and drawn boxes of a video, each of which can be shown, disabled or removed. */
export const TracksSection = ({
  item,
  result,
  playhead,
}: {
  readonly item: MediaItem;
  readonly result: MediaResult;
  readonly playhead: Playhead;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.video;
  const { store } = useServices();
  const { settings } = useAppState();
  const [limit, setLimit] = useState(AT_ONCE);
  const tracks = tracksByLength(result.objects.filter(isTrack));
  const shown = tracks.slice(0, limit);
  const drawn = drawnObjects(item.edits.present, result);
  const { present } = item.edits;
  const urls = useCrops(item.file, result, [...cropsOf(shown, drawn), ...cropsOfHidden(present)]);
  const edit = (edits: ItemEdits): void =>
    store.send({ type: 'edited', id: item.id, edit: { type: 'replaced', edits } });
  return (
    <section aria-label={text.tracks} data-testid="tracks">
      <h3 className="title">{text.tracks}</h3>
      <p className="soft">{tracks.length > 0 ? text.tracksHint : text.noTracks}</p>
      <TrackList {...{ item, urls, playhead }} tracks={shown} onEdit={edit} />
      {tracks.length > shown.length && (
        <Button variant="quiet" onClick={() => setLimit(limit + AT_ONCE)}>
          {text.moreTracks(Math.min(AT_ONCE, tracks.length - shown.length))}
        </Button>
      )}
      {drawn.length > 0 && (
        <>
          <h3 className="title">{text.drawn}</h3>
          <ul className={styles['list']}>
            {drawn.map((one) => (
              <DrawnRow
                key={one.key}
                drawn={one}
                thumbnailUrl={urls.get(`drawn ${one.key} ${one.atS}`)}
                playhead={playhead}
                onRange={(range) => edit(withDrawnRange(present, one.key, range))}
                onRemove={() => edit(withoutDrawn(present, one.key))}
              />
            ))}
          </ul>
        </>
      )}
      <HiddenList edits={present} urls={urls} playhead={playhead} onEdit={edit} />
      <Notice variant="box" role="status" data-testid="edits-state">
        {stateOf(item, needsDetection(item, settings), messages)}
      </Notice>
    </section>
  );
};
