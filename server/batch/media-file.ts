import type { FoundFile } from './find-files';
import type { Format } from '#shared/catalogue/formats';
import type { OutputNames } from './output-names';

export type MediaKind = 'image' | 'video';

/** An image or a video that is to be processed. */
export interface MediaFile extends FoundFile {
  readonly kind: MediaKind;
  readonly format: Format;
  readonly sizeBytes: number;
  readonly outputs: OutputNames;
  /** Path, state and options as hashes: see `Entry`. */
  readonly from: string;
  readonly source: string;
  readonly options: string;
}
