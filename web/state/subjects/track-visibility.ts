import type { VideoEdits } from '#shared/domain/video-edits';
import { mayShowPerson, type MediaItem, type ShownSpan } from '../media-item';
import { rangeOf, withTrack } from '../video-edits';

type EditedVideo = Pick<MediaItem, 'result' | 'settings' | 'videoEdits'>;

/**
 * When a track is visible because of the person who stays visible.
 *
 * @returns nothing for tracks about which a user has decided: then the person has no effect
 */
export const spansOf = ({ result, videoEdits }: EditedVideo, id: number): readonly ShownSpan[] => {
  const { visibleTracks, decidedTracks = [] } = videoEdits;
  const isDecided = visibleTracks.includes(id) || decidedTracks.includes(id) || rangeOf(videoEdits, id);
  return isDecided ? [] : (result?.video?.shown ?? []).filter(({ trackId }) => trackId === id);
};

const withDecision = ({ decidedTracks = [], ...edits }: VideoEdits, id: number, isKept: boolean) => {
  const decided = [...decidedTracks.filter((one) => one !== id), ...(isKept ? [id] : [])];
  return { ...edits, ...(decided.length > 0 && { decidedTracks: decided }) };
};

/**
 * The edits after a user has hidden a track, or made it visible. If a track of the person who stays visible was hidden,
 * it is then visible in the same frames as before.
 */
export const withTrackHidden = (picture: EditedVideo, id: number, isHidden: boolean): VideoEdits => {
  const { videoEdits } = picture;
  if (isHidden) {
    const hidden = withTrack(videoEdits, id, true);
    return mayShowPerson(picture) ? withDecision(hidden, id, true) : hidden;
  }
  const undecided = withDecision(videoEdits, id, false);
  const isOfPerson = spansOf({ ...picture, videoEdits: undecided }, id).length > 0;
  return isOfPerson ? undecided : withTrack(undecided, id, false);
};
