import type { Storage } from '#shared/ports/storage';

/** Larger files are copied in pieces. */
const MAX_WHOLE_BYTES = 4 * 1024 * 1024;

/**
 * Copies a file of any size from one storage to another. The copy appears when it is complete.
 *
 * @returns its size in bytes
 * @throws Error if there is no such file
 */
export const copyFile = async (
  from: { readonly storage: Storage; readonly key: string },
  to: { readonly storage: Storage; readonly key: string },
): Promise<number> => {
  const file = await from.storage.open(from.key);
  if (!file) throw new Error(`The file ${from.key} was removed while it was copied.`);
  const { sizeBytes } = file;
  if (sizeBytes <= MAX_WHOLE_BYTES) {
    const bytes = await from.storage.read(from.key);
    if (!bytes) throw new Error(`The file ${from.key} was removed while it was copied.`);
    await to.storage.write(to.key, bytes);
    return sizeBytes;
  }
  const copy = await to.storage.create(to.key);
  try {
    let position = 0;
    for await (const piece of file.read(0, sizeBytes)) {
      await copy.write(position, piece);
      position += piece.length;
    }
    await copy.commit();
  } finally {
    await copy.discard();
  }
  return sizeBytes;
};
