import { rm } from 'node:fs/promises';
import type { ReceivedFile } from '#shared/ports/storage';
import { diskSource } from '../adapters/disk-file';
import { onDisk } from '../adapters/disk-refusal';
import type { PartFacts } from './inspect-part';
import type { ReceivingFolder } from './receiving-folder';

/** A part whose bytes are all on disk. */
export interface WrittenPart extends PartFacts {
  /** In the receiving folder. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** An upload's part on disk, not yet filed under a task. */
export const receivedFile = (
  { path, sizeBytes, head, sha256, digest }: WrittenPart,
  receiving: Pick<ReceivingFolder, 'moveTo'>,
): ReceivedFile => ({
  sizeBytes,
  sha256,
  head: async () => head,
  digest: async () => {
    if (digest === undefined) throw new Error('An upload was received without its digest.');
    return digest;
  },
  source: diskSource(path, sizeBytes),
  moveTo: (key) => receiving.moveTo(path, key),
  discard: () => onDisk(() => rm(path, { force: true })),
});
