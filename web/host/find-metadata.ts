import type { MetadataKind } from '#shared/domain/image-header';
import { findMetadata as findIn } from '#shared/engine/formats/read-header';

/** Returns the kinds of metadata in an image file; an empty list if the file no longer exists. */
export const findMetadata = async (file: Blob): Promise<readonly MetadataKind[]> => {
  try {
    return await findIn(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return [];
  }
};
