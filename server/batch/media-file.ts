import type { FoundFile } from './find-files';
import type { OutputNames } from './output-names';

export type MediaKind = 'image' | 'video';

/** A picture or video to be worked on. */
export interface MediaFile extends FoundFile {
  readonly kind: MediaKind;
  readonly sizeBytes: number;
  readonly outputs: OutputNames;
  /** Which file it is, what that is like, and all that decides what its results look like: see `Entry`. */
  readonly from: string;
  readonly source: string;
  readonly options: string;
}
