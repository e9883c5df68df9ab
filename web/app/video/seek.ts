import type { FoundObject } from '../../state/picture';

/** A moment of the video in view that somebody wants to see. */
export interface SeekTarget {
  readonly atS: number;
  /** What is marked there. */
  readonly object?: FoundObject;
}

/** Goes there; made by the stage, called by the panel. */
export type Seek = (target: SeekTarget) => void;
