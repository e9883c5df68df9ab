import { unzipSync } from 'fflate';
import { PACK_LIMITS } from '#shared/engine/packs/packs';
import { Refusal } from './refusal';

/** Name of the pack description in an archive. */
export const DESCRIPTION = 'pack.json';
export const MAX_DESCRIPTION_BYTES = 1024 ** 2;
/** A file name without any path, on every system. */
const PLAIN_NAME = /^[\w-][\w.-]{0,99}$/;

export const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/**
 * Reads a ZIP archive with a pack description and its models, all at its top level.
 *
 * @param maxBytes limit of the unpacked size of all files together
 * @throws {Refusal} if a name contains a path, or the archive exceeds the limits of a pack
 */
export const readArchive = (
  bytes: Uint8Array,
  maxBytes = PACK_LIMITS.models * PACK_LIMITS.bytesPerModel,
): ReadonlyMap<string, Uint8Array> => {
  let left = maxBytes;
  let entries = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!PLAIN_NAME.test(name)) {
          throw new Refusal(
            'The archive contains a file outside its top level, or with an unsupported name.',
          );
        }
        const limit = name === DESCRIPTION ? MAX_DESCRIPTION_BYTES : PACK_LIMITS.bytesPerModel;
        left -= originalSize;
        if (originalSize > limit || left < 0) {
          throw new Refusal('The unpacked archive exceeds the size limit of a pack.');
        }
        if (++entries > PACK_LIMITS.models + 1) {
          throw new Refusal('The archive contains more files than a pack may have.');
        }
        return true;
      },
    });
    return new Map(Object.entries(files));
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal('The archive is damaged.', { cause });
  }
};
