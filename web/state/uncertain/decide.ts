import { reduceEdits, type EditEvent } from '../edit-history';
import type { MediaItem } from '../media-item';
import { withDrawn, withTrack } from '../video-edits';
import type { UncertainObject } from './uncertain-object';

/** `hide`: it is hidden in the result; `show`: it is not an object, or may be seen. */
export type Decision = 'hide' | 'show';

/** The parts of a file that a decision changes. */
export type Decided = Required<Pick<MediaItem, 'edits' | 'videoEdits' | 'decided'>>;

/** A candidate below the threshold is hidden if a person confirms its class. */
const objectEdit = ({ doubt, objectClass }: UncertainObject, id: number, decision: Decision): EditEvent => {
  const isOff = decision === 'show';
  const isConfirmed = doubt === 'below-threshold' && !isOff;
  return { type: 'changed', id, change: { isOff, ...(isConfirmed && { objectClass }) } };
};

const withKey = ({ decided = [] }: MediaItem, key: string): readonly string[] => [
  ...decided.filter((one) => one !== key),
  key,
];

/** The file's edits after a decision. They are ordinary edits: the editors show and undo them. */
export const decide = (picture: MediaItem, object: UncertainObject, decision: Decision): Decided => {
  const { edits, videoEdits } = picture;
  const decided = withKey(picture, object.key);
  const { target } = object;
  switch (target.kind) {
    case 'object':
      return { edits: reduceEdits(edits, objectEdit(object, target.id, decision)), videoEdits, decided };
    case 'track': {
      const { decidedTracks: before = [], ...others } = withTrack(videoEdits, target.id, decision === 'hide');
      const rest = before.filter((id) => id !== target.id);
      const decidedTracks = decision === 'hide' ? [...rest, target.id] : rest;
      const named = decidedTracks.length > 0 ? { decidedTracks } : {};
      return { edits, videoEdits: { ...others, ...named }, decided };
    }
    case 'place':
      return {
        ...{ edits, decided },
        videoEdits: decision === 'hide' ? withDrawn(videoEdits, target.drawn) : videoEdits,
      };
  }
};

/** The file's state, to which undoing a decision returns. */
export const beforeDecision = ({ edits, videoEdits, decided = [] }: MediaItem): Decided => ({
  edits,
  videoEdits,
  decided,
});
