import type { ItemEdits } from '../edit-history';
import { mayShowPerson, type MediaItem, type ShownSpan } from '../media-item';
import { isTrackDecided, rangeOf, withTrack } from '../video-edits';

/**
 * When a track is visible because of the person who stays visible.
 *
 * @returns nothing for tracks about which a user has decided: then the person has no effect
 */
export const spansOf = (
  { result }: Pick<MediaItem, 'result'>,
  edits: ItemEdits,
  id: number,
): readonly ShownSpan[] =>
  isTrackDecided(edits, id) ? [] : (result?.video?.shown ?? []).filter(({ trackId }) => trackId === id);

/**
 * The edits after a user has hidden a track, or made it visible. If a track of the person who stays visible was hidden,
 * it is then visible in the same frames as before.
 */
export const withTrackHidden = (
  item: Pick<MediaItem, 'result' | 'settings'>,
  edits: ItemEdits,
  id: number,
  isHidden: boolean,
): ItemEdits => {
  if (isHidden) return withTrack(edits, id, true, mayShowPerson(item));
  const undecided = rangeOf(edits, id) ? edits : withTrack(edits, id, true);
  return spansOf(item, undecided, id).length > 0 ? undecided : withTrack(undecided, id, false);
};
