import { US_PER_SECOND } from '#shared/domain/time-units';
import type { MadeDecision } from '../made-decision';
import type { MediaItem } from '../media-item';
import type { UncertainObject } from './uncertain-object';

/** Times of a place may differ by the rounding of a frame's time. */
const TOLERANCE_US = 1_000;

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
  bbox: [box.x1, box.y1, box.x2, box.y2],
  ...(atS !== undefined && { time: atS }),
});

/** The list with a decision, which replaces an earlier one about the same. */
export const withDecision = (
  before: readonly MadeDecision[] = [],
  made: MadeDecision,
): readonly MadeDecision[] => [...before.filter((one) => subjectOf(one) !== subjectOf(made)), made];

type Edited = Pick<MediaItem, 'edits' | 'videoEdits'>;

const isDrawn = ({ videoEdits }: Edited, { bbox, time = 0 }: MadeDecision): boolean =>
  videoEdits.drawn.some(
    ({ timeUs, box: { x1, y1, x2, y2 } }) =>
      Math.abs(timeUs - time * US_PER_SECOND) < TOLERANCE_US &&
      JSON.stringify([x1, y1, x2, y2]) === JSON.stringify(bbox),
  );

const isInForceOfVideo = (picture: Edited, made: MadeDecision): boolean => {
  const isVisible = made.decision === 'visible';
  if (made.id === undefined) return isVisible || isDrawn(picture, made);
  return picture.videoEdits.visibleTracks.includes(made.id) === isVisible;
};

const isInForceOfImage = ({ edits }: Edited, { decision, id }: MadeDecision): boolean => {
  const change = id === undefined ? undefined : edits.present.changes[id];
  return (
    change !== undefined && (change.isOff === true || change.isDeleted === true) === (decision === 'visible')
  );
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
