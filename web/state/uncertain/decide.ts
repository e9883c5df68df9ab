import { reduceEdits, type EditEvent, editOf } from '../edit-history';
import type { MediaItem, ContractDecision } from '../media-item';
import { withDrawn, withTrack, isTrackHidden } from '../video-edits';
import type { UncertainObject } from './uncertain-object';
import { toBbox } from '#shared/domain/boxes';
import { isVisible } from '#shared/domain/edits/edits';

/** Times of a place may differ by the rounding of a frame's time. */
const TOLERANCE_S = 0.001;

/** What a decision is about: an object or track, or a place. */
const subjectOf = ({ id, bbox, time }: ContractDecision): string =>
  id === undefined ? JSON.stringify([bbox, time]) : String(id);

/** A decision of the list about one of its objects. */
const madeDecision = (
  { objectClass, box, atS, target }: UncertainObject,
  isHidden: boolean,
): ContractDecision => ({
  decision: isHidden ? 'hidden' : 'visible',
  type_label: objectClass,
  ...(target.kind !== 'place' && { id: target.id }),
  bbox: toBbox(box),
  ...(atS !== undefined && { time: atS }),
});

/** The list with a decision, which replaces an earlier one about the same. */
const withDecision = (
  before: readonly ContractDecision[] = [],
  made: ContractDecision,
): readonly ContractDecision[] => [...before.filter((one) => subjectOf(one) !== subjectOf(made)), made];

type Edited = Pick<MediaItem, 'edits'>;

const isDrawn = ({ edits }: Edited, { bbox, time = 0 }: ContractDecision): boolean =>
  edits.present.areas.some(
    (area) =>
      area.shape !== 'stroke' &&
      Math.abs((area.at ?? 0) - time) < TOLERANCE_S &&
      JSON.stringify(area.bbox) === JSON.stringify(bbox),
  );

const isInForceOfVideo = (item: Edited, made: ContractDecision): boolean => {
  const isVisible = made.decision === 'visible';
  if (made.id === undefined) return isVisible || isDrawn(item, made);
  return isTrackHidden(item.edits.present, made.id) !== isVisible;
};

const isInForceOfImage = ({ edits }: Edited, { decision, id }: ContractDecision): boolean => {
  const edit = id === undefined ? undefined : editOf(edits.present, id);
  return edit !== undefined && isVisible(edit) === (decision === 'visible');
};

/**
 * The decisions about a file that its edits still contain: an editor can undo an edit that a decision made, and the
 * report must not name a decision that was undone.
 */
export const decisionsInForce = (
  item: Edited & Pick<MediaItem, 'decisions' | 'result'>,
): ContractDecision[] => {
  const { decisions = [], result } = item;
  const isInForce = result?.video ? isInForceOfVideo : isInForceOfImage;
  return decisions.filter((made) => isInForce(item, made));
};

/** `hide`: it is hidden in the result; `show`: it is not an object, or may be seen. */
export type Decision = 'hide' | 'show';

/** The parts of a file that a decision changes. */
export type Decided = Required<Pick<MediaItem, 'edits' | 'decided' | 'decisions'>>;

/** A candidate below the threshold is hidden if a person confirms its class. */
const objectEdit = ({ reason, objectClass }: UncertainObject, id: number, decision: Decision): EditEvent => {
  const hidden = decision === 'hide';
  const isConfirmed = reason === 'below-threshold' && hidden;
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
export const decide = (item: MediaItem, object: UncertainObject, decision: Decision): Decided => {
  const edit = editFor(item, object, decision);
  return {
    edits: edit ? reduceEdits(item.edits, edit) : item.edits,
    decided: withKey(item, object.key),
    decisions: withDecision(item.decisions, madeDecision(object, decision === 'hide')),
  };
};
