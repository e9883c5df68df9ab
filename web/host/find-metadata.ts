import { findSourceMetadata, type MetadataKind } from '#shared/engine/formats/source-metadata';

/** What a picture's file tells beside its pixels; nothing for a file that is gone. */
export const findMetadata = async (file: Blob): Promise<readonly MetadataKind[]> => {
  try {
    return findSourceMetadata(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return [];
  }
};
