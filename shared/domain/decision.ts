import type { ObjectClass } from '../catalogue/classes';

/** What a person decided about an object of a result, or about a place without a detection. */
export interface ObjectDecision {
  /** Whether it is to be anonymised. */
  readonly decision: 'hidden' | 'visible';
  readonly type_label: ObjectClass;
  /** Number of the object, or of the track in a video, as edits refer to it; absent for a place. */
  readonly id?: number;
  /** [x1, y1, x2, y2] in px of the upright image or frame. */
  readonly bbox?: [number, number, number, number];
  /** Moment of the frame in a video, in seconds. */
  readonly time?: number;
}

/** A decision with its time and the person who made it, in the words of the contract. */
export interface RecordedDecision extends ObjectDecision {
  /** ISO 8601, UTC, without a zone. */
  readonly at: string;
  /** The person who decided, if the request named one. */
  readonly reviewer?: string;
}

const textOf = ({ decision, type_label, id, bbox, time }: ObjectDecision): string =>
  JSON.stringify([decision, type_label, id, bbox, time]);

/** The decisions of a new list, where those that were recorded before keep their times and reviewers. */
export const withEarlierRecords = (
  before: readonly RecordedDecision[] = [],
  decisions: readonly RecordedDecision[],
): readonly RecordedDecision[] => {
  const known = new Map(before.map((one) => [textOf(one), one]));
  return decisions.map((one) => known.get(textOf(one)) ?? one);
};
