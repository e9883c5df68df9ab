import { readFile, rm } from 'node:fs/promises';
import type { ReceivedFile } from '#shared/ports/storage';
import { onDisk } from '../adapters/disk-refusal';
import { fileUpload, pathOfKey, type StorageFolders } from '../adapters/storage';
import type { PartFacts } from './inspect-part';

/** A part whose bytes are all on disk. */
export interface WrittenPart extends PartFacts {
  /** In the input folder, so that filing it is a rename. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** An upload's part on disk, not yet filed under a task. */
export const receivedFile = (
  { path, sizeBytes, head, digest }: WrittenPart,
  folders: StorageFolders,
): ReceivedFile => ({
  sizeBytes,
  head: async () => head,
  digest: async () => {
    if (digest === undefined) throw new Error('An upload was received without its digest.');
    return digest;
  },
  read: () => readFile(path),
  moveTo: (key) => onDisk(() => fileUpload(path, pathOfKey(folders, key))),
  discard: () => rm(path, { force: true }),
});
