import type { FoundObject } from '../../state/media-item';

/** A position of the video to seek to. */
export interface SeekTarget {
  readonly atS: number;
  /** Object to highlight there. */
  readonly object?: FoundObject;
}

/** The moment of the video that is in view; made by the stage, used by the panel. */
export interface Playhead {
  seek(target: SeekTarget): void;
  nowS(): number;
}

/** While no video is in view. */
export const NO_PLAYHEAD: Playhead = { seek: () => undefined, nowS: () => 0 };
