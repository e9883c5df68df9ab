import type { FoundFile } from './find-files';
import type { OutputNames } from './output-names';

/** A picture to be worked on. */
export interface Picture extends FoundFile {
  readonly outputs: OutputNames;
  /** Which file it is, and what that is like: see `Entry`. */
  readonly from: string;
  readonly source: string;
}
