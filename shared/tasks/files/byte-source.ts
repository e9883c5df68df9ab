import type { Storage, StoredFile } from '../../ports/storage';
import type { ByteSource } from '../../ports/video';
import { readPart } from '../base/content-tag';

/** A stored file with random access. */
export const byteSourceOf = (file: StoredFile): ByteSource => ({
  sizeBytes: file.sizeBytes,
  handle: file.handle,
  read: (start, end) => readPart(file, start, end),
});

/** @returns undefined where there is no such file */
export const openSource = async (storage: Storage, key: string): Promise<ByteSource | undefined> => {
  const file = await storage.open(key);
  return file && byteSourceOf(file);
};
