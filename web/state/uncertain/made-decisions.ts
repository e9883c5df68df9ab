import { toBbox } from '#shared/domain/boxes';
import type { MadeDecision } from '../made-decision';
import { isVisible } from '#shared/domain/edits/edits';
import { editOf } from '../edit-history';
import type { MediaItem } from '../media-item';
import { isTrackHidden } from '../video-edits';
import type { UncertainObject } from './uncertain-object';

/** Times of a place may differ by the rounding of a frame's time. */
const TOLERANCE_S = 0.001;

/** What a decision is about: an object or track, or a place. */
const subjectOf = ({ id, bbox, time }: MadeDecision): string =>
  id === undefined ? JSON.stringify([bbox, time]) : String(id);

/** A decision of the list about one of its objects. */
export const madeDecision = (
  { objectClass, box, atS, target }: UncertainObject,
  isHidden: boolean,
): MadeDecision => ({
  decision: isHidden ? 'hidden' : 'visible',
  type_label: objectClass,
  ...(target.kind !== 'place' && { id: target.id }),
  bbox: toBbox(box),
  ...(atS !== undefined && { time: atS }),
});

/** The list with a decision, which replaces an earlier one about the same. */
export const withDecision = (
  before: readonly MadeDecision[] = [],
  made: MadeDecision,
): readonly MadeDecision[] => [...before.filter((one) => subjectOf(one) !== subjectOf(made)), made];

type Edited = Pick<MediaItem, 'edits'>;

const isDrawn = ({ edits }: Edited, { bbox, time = 0 }: MadeDecision): boolean =>
  edits.present.areas.some(
    (area) =>
      area.shape !== 'stroke' &&
      Math.abs((area.at ?? 0) - time) < TOLERANCE_S &&
      JSON.stringify(area.bbox) === JSON.stringify(bbox),
  );

const isInForceOfVideo = (picture: Edited, made: MadeDecision): boolean => {
  const isVisible = made.decision === 'visible';
  if (made.id === undefined) return isVisible || isDrawn(picture, made);
  return isTrackHidden(picture.edits.present, made.id) !== isVisible;
};

const isInForceOfImage = ({ edits }: Edited, { decision, id }: MadeDecision): boolean => {
  const edit = id === undefined ? undefined : editOf(edits.present, id);
  return edit !== undefined && isVisible(edit) === (decision === 'visible');
};

/**
 * The decisions about a file that its edits still contain: an editor can undo an edit that a decision made, and the
 * report must not name a decision that was undone.
 */
export const decisionsInForce = (
  picture: Edited & Pick<MediaItem, 'decisions' | 'result'>,
): MadeDecision[] => {
  const { decisions = [], result } = picture;
  const isInForce = result?.video ? isInForceOfVideo : isInForceOfImage;
  return decisions.filter((made) => isInForce(picture, made));
};
