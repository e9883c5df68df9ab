import type { FoundFile } from './find-files';
import type { SourceFormat } from '#shared/tasks/files/video-formats';
import type { OutputNames } from './output-names';

export type MediaKind = 'image' | 'video';

/** An image or a video that is to be processed. */
export interface MediaFile extends FoundFile {
  readonly kind: MediaKind;
  readonly format: SourceFormat;
  readonly sizeBytes: number;
  readonly outputs: OutputNames;
  /** Path, state and options as hashes: see `Entry`. */
  readonly from: string;
  readonly source: string;
  readonly options: string;
}
