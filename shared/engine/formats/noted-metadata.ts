import { METADATA_KINDS, type MetadataKind } from '../../domain/metadata-kind';
import type { TrackCounts, VideoMetadata } from '../../domain/provenance';

export const videoMetadata = (kinds: ReadonlySet<MetadataKind>, tracks: TrackCounts): VideoMetadata => ({
  sourceMetadata: METADATA_KINDS.filter((kind) => kinds.has(kind)),
  sourceTracks: tracks,
});
