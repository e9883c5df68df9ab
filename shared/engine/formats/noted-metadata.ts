import { METADATA_KINDS, type MetadataKind } from '../../domain/image-header';
import type { TrackCounts, FoundInVideo } from '../../domain/provenance';

export const videoMetadata = (kinds: ReadonlySet<MetadataKind>, tracks: TrackCounts): FoundInVideo => ({
  sourceMetadata: METADATA_KINDS.filter((kind) => kinds.has(kind)),
  sourceTracks: tracks,
});
