import type { VideoEdits } from '#shared/domain/video-edits';
import { reduceEdits, type EditEvent } from '../edit-history';
import { NO_STEPS } from '../history';
import type { MediaItem } from '../media-item';
import { withDrawn, withTrack } from '../video-edits';
import { withVideoEdits } from '../video-history';
import { madeDecision, withDecision } from './made-decisions';
import type { UncertainObject } from './uncertain-object';

/** `hide`: it is hidden in the result; `show`: it is not an object, or may be seen. */
export type Decision = 'hide' | 'show';

/** The parts of a file that a decision changes. */
export type Decided = Required<
  Pick<MediaItem, 'edits' | 'videoEdits' | 'videoSteps' | 'decided' | 'decisions'>
>;

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

const withDecidedTrack = (edits: VideoEdits, track: number, decision: Decision): VideoEdits => {
  const { decidedTracks: before = [], ...others } = withTrack(edits, track, decision === 'hide');
  const rest = before.filter((id) => id !== track);
  const decidedTracks = decision === 'hide' ? [...rest, track] : rest;
  return { ...others, ...(decidedTracks.length > 0 && { decidedTracks }) };
};

/** The file's state, to which undoing a decision returns. */
export const beforeDecision = ({
  edits,
  videoEdits,
  videoSteps = NO_STEPS,
  decided = [],
  decisions = [],
}: MediaItem): Decided => ({ edits, videoEdits, videoSteps, decided, decisions });

/** The file's edits after a decision. They are ordinary edits: the editors show and undo them. */
export const decide = (picture: MediaItem, object: UncertainObject, decision: Decision): Decided => {
  const { edits, videoEdits } = picture;
  const { target } = object;
  const before = {
    ...beforeDecision(picture),
    decided: withKey(picture, object.key),
    decisions: withDecision(picture.decisions, madeDecision(object, decision === 'hide')),
  };
  switch (target.kind) {
    case 'object':
      return { ...before, edits: reduceEdits(edits, objectEdit(object, target.id, decision)) };
    case 'track':
      return {
        ...before,
        ...withVideoEdits(picture, withDecidedTrack(videoEdits, target.id, decision)),
      };
    case 'place':
      return decision === 'hide'
        ? { ...before, ...withVideoEdits(picture, withDrawn(videoEdits, target.drawn)) }
        : before;
  }
};
