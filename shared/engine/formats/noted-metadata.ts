import type { MetadataKind } from '../../domain/metadata-kind';
import type { TrackCounts } from '../../domain/provenance';

/** Metadata and tracks that the reader of a video container has found. */
export interface NotedMetadata {
  readonly kinds: ReadonlySet<MetadataKind>;
  readonly tracks: TrackCounts;
}
