import type { ImageOptions } from './options';

/** Address of the list of files on a server that was started by `veil review`; the others are below it. */
export const REVIEW_PATH = '/review/files';

/** Query of the page's address with which it shows the files of the review. */
export const REVIEW_QUERY = '?review';

/** A source whose result is reviewed. */
export interface ReviewFile {
  /** Id of its task. */
  readonly id: string;
  /** Path of its result below the result folder. */
  readonly name: string;
  readonly contentType: string;
  readonly lastModifiedMs: number;
  /** Number of uncertain objects about which nobody has decided, as the last run and its reviews left them. */
  readonly undecided: number;
}

/** What the page has to know of a file whose task is done and whose stored edits are applied. */
export type ReviewState =
  | { readonly options: ImageOptions; readonly edits: object }
  /** One sentence about why it cannot be reviewed. */
  | { readonly error: string };
