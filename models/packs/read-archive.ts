import { unzipSync } from 'fflate';
import { PACK_LIMITS } from '#shared/engine/packs/packs';
import { Refusal } from './refusal';

/** The file of an archive that says what the others are. */
export const DESCRIPTION = 'pack.json';
export const MAX_DESCRIPTION_BYTES = 1024 ** 2;
/** A plain name: nothing that leads into another folder, or that some system reads as one. */
const PLAIN_NAME = /^[\w-][\w.-]{0,99}$/;

export const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/**
 * Reads a zip archive with a pack's description and its models, all of them at its top.
 *
 * @param maxBytes that all files together may unpack to
 * @throws {Refusal} where a name leads elsewhere, or what is inside is larger than a pack may be
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
        if (!PLAIN_NAME.test(name)) throw new Refusal('The archive holds a file whose name leads elsewhere.');
        const limit = name === DESCRIPTION ? MAX_DESCRIPTION_BYTES : PACK_LIMITS.bytesPerModel;
        left -= originalSize;
        if (originalSize > limit || left < 0) {
          throw new Refusal('The archive holds more than a pack may have.');
        }
        if (++entries > PACK_LIMITS.models + 1) {
          throw new Refusal('The archive holds more files than a pack has.');
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
