import type { ImageHeader } from '#shared/domain/image-header';
import type { FoundFile } from './find-files';
import { isVideoFormat, type Format } from '#shared/catalogue/formats';
import type { Limits } from '#shared/domain/limits';
import type { Inspector } from '#shared/ports/engine';
import type { Submission } from '#shared/tasks/accept/accept-upload';
import { diskSource } from '../adapters/disk-file';
import type { OutputNames } from './output-names';
import { copyFile, open, realpath, symlink } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { HEAD_BYTES } from '#shared/engine/formats/recognise';
import type { ReceivedFile } from '#shared/ports/storage';
import { createFolder, pathOfKey, type StorageFolders } from '../adapters/storage';

/** The first bytes of a file, as many as decide its format. */
export const readHead = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Links to the source. Windows allows links only to some users: the file is copied there. */
const link = async (source: string, place: string): Promise<void> => {
  try {
    await symlink(source, place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    await copyFile(source, place);
  }
};

/** A file of this machine in the place of an upload. Its task reads it where it is, so that no copy is left behind. */
const linkedSource = (path: string, sizeBytes: number, folders: StorageFolders): ReceivedFile => ({
  sizeBytes,
  head: () => readHead(path),
  source: diskSource(path, sizeBytes),
  digest: () => Promise.reject(new Error('Only uploads with a key have a digest.')),
  moveTo: async (key) => {
    const place = pathOfKey(folders, key);
    await createFolder(dirname(place));
    await link(await realpath(path), place);
  },
  discard: async () => undefined,
});

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

/** What the tasks of files take of their host. */
export interface LinkingParts {
  readonly engine: Pick<Inspector, 'inspectImage'>;
  readonly limits: Limits;
  readonly folders: StorageFolders;
}

/**
 * A file in the place of an upload. The header of an image is read now, unless planning has read it.
 *
 * @throws UnreadableFile
 */
export const linkedUpload = async (
  {
    path,
    name,
    sizeBytes,
    format,
    header,
  }: Pick<MediaFile, 'path' | 'name' | 'sizeBytes' | 'format' | 'header'>,
  { engine, limits, folders }: LinkingParts,
  wanted: Pick<Submission, 'options' | 'video'>,
): Promise<Submission> => {
  const file = linkedSource(path, sizeBytes, folders);
  const upload = { ...wanted, file, filename: posix.basename(name), webhook: null, isAwaited: false };
  if (isVideoFormat(format)) return { ...upload, format };
  const read = header ?? (await engine.inspectImage(diskSource(path, sizeBytes), limits));
  return { ...upload, format: read.format, header: read };
};
