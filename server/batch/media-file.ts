import { type ImageHeader } from '#shared/domain/image-header';
import type { FoundFile } from './find-files';
import { isVideoFormat, type Format } from '#shared/catalogue/formats';
import type { Limits } from '#shared/domain/limits';
import type { Inspector } from '#shared/ports/engine';
import type { ReadMedia } from '#shared/tasks/accept/accept-upload';
import { diskSource } from '../adapters/disk-file';
import type { OutputNames } from './output-names';

export type MediaKind = 'image' | 'video';

/** An image or a video that is to be processed. */
export interface MediaFile extends FoundFile {
  readonly kind: MediaKind;
  readonly format: Format;
  /** Of an image, where it was read to plan the results. */
  readonly header?: ImageHeader | undefined;
  readonly sizeBytes: number;
  readonly outputs: OutputNames;
  /** Path, state and options as hashes: see `Entry`. */
  readonly from: string;
  readonly source: string;
  readonly options: string;
}

type UnreadFile = Pick<MediaFile, 'path' | 'sizeBytes' | 'format' | 'header'>;

/** The header of an image, which is read now unless planning has read it. @throws UnreadableFile */
const readHeader = async (
  { path, sizeBytes, header }: UnreadFile,
  engine: Pick<Inspector, 'inspectImage'>,
  limits: Limits,
): Promise<ImageHeader> => header ?? engine.inspectImage(diskSource(path, sizeBytes), limits);

/** What the task of a file is told about it. @throws UnreadableFile */
export const readMedia = async (
  file: UnreadFile,
  ...parts: [engine: Pick<Inspector, 'inspectImage'>, limits: Limits]
): Promise<ReadMedia> => {
  if (isVideoFormat(file.format)) return { format: file.format };
  const header = await readHeader(file, ...parts);
  return { format: header.format, header };
};
