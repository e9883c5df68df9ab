import type { MetadataKind } from '../../../domain/image-header';

/** The configuration of a codec with nothing but the fields that its decoder needs. */
export interface RebuiltConfig {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Kinds of data that the original contains besides. */
  readonly removed: readonly MetadataKind[];
}

/** The kind of bytes behind the end of a configuration: none if they are empty. */
export const kindOfRest = (rest: Uint8Array): readonly MetadataKind[] =>
  rest.some((byte) => byte !== 0) ? ['other'] : [];
