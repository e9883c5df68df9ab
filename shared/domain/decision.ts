import type { Box } from './boxes';
import type { ObjectClass } from '../catalogue/classes';

/** What a person decided about an object of a result, or about a place without a detection. */
export interface ObjectDecision {
  /** Whether it is to be anonymised. */
  readonly isHidden: boolean;
  readonly objectClass: ObjectClass;
  /** Number of the object, or of the track in a video, as edits refer to it; absent for a place. */
  readonly id?: number;
  /** In px of the upright image or frame. */
  readonly box?: Box;
  /** Moment of the frame in a video. */
  readonly timeUs?: number;
}

/** A decision with its time and the person who made it. */
export interface RecordedDecision extends ObjectDecision {
  readonly atMs: number;
  /** The person who decided, if the request named one. */
  readonly reviewer?: string;
}

const textOf = ({ isHidden, objectClass, id, box, timeUs }: ObjectDecision): string =>
  JSON.stringify([isHidden, objectClass, id, box && [box.x1, box.y1, box.x2, box.y2], timeUs]);

/** The decisions of a new list, where those that were recorded before keep their times and reviewers. */
export const withEarlierRecords = (
  before: readonly RecordedDecision[] = [],
  decisions: readonly RecordedDecision[],
): readonly RecordedDecision[] => {
  const known = new Map(before.map((one) => [textOf(one), one]));
  return decisions.map((one) => known.get(textOf(one)) ?? one);
};
