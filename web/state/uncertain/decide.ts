import { reduceEdits, type EditEvent } from '../edit-history';
import type { MediaItem } from '../media-item';
import { withDrawn, withTrack } from '../video-edits';
import { madeDecision, withDecision } from './made-decisions';
import type { UncertainObject } from './uncertain-object';

/** `hide`: it is hidden in the result; `show`: it is not an object, or may be seen. */
export type Decision = 'hide' | 'show';

/** The parts of a file that a decision changes. */
export type Decided = Required<Pick<MediaItem, 'edits' | 'decided' | 'decisions'>>;

/** A candidate below the threshold is hidden if a person confirms its class. */
const objectEdit = ({ doubt, objectClass }: UncertainObject, id: number, decision: Decision): EditEvent => {
  const hidden = decision === 'hide';
  const isConfirmed = doubt === 'below-threshold' && hidden;
  return { type: 'changed', id, change: { hidden, ...(isConfirmed && { type_label: objectClass }) } };
};

const withKey = ({ decided = [] }: MediaItem, key: string): readonly string[] => [
  ...decided.filter((one) => one !== key),
  key,
];

/** The file's state, to which undoing a decision returns. */
export const beforeDecision = ({ edits, decided = [], decisions = [] }: MediaItem): Decided => ({
  edits,
  decided,
  decisions,
});

/** The edits that a decision asks for; undefined where it changes nothing. */
const editFor = (
  { edits: { present } }: MediaItem,
  object: UncertainObject,
  decision: Decision,
): EditEvent | undefined => {
  const { target } = object;
  const isHidden = decision === 'hide';
  switch (target.kind) {
    case 'object':
      return objectEdit(object, target.id, decision);
    case 'track':
      return { type: 'replaced', edits: withTrack(present, target.id, isHidden, true) };
    case 'place':
      return isHidden ? { type: 'replaced', edits: withDrawn(present, target.drawn) } : undefined;
  }
};

/** The file's edits after a decision. They are ordinary edits: the editors show and undo them. */
export const decide = (picture: MediaItem, object: UncertainObject, decision: Decision): Decided => {
  const edit = editFor(picture, object, decision);
  return {
    edits: edit ? reduceEdits(picture.edits, edit) : picture.edits,
    decided: withKey(picture, object.key),
    decisions: withDecision(picture.decisions, madeDecision(object, decision === 'hide')),
  };
};
