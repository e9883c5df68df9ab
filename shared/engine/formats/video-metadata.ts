import { METADATA_KINDS } from '../../domain/metadata-kind';
import type { Provenance } from '../../domain/provenance';
import { UnreadableFile } from '../../domain/unreadable-file';
import type { VideoFormat } from '../../catalogue/formats';
import type { ByteSource } from '../../ports/video';
import type { NotedMetadata } from './noted-metadata';

/** Loaded only for a video: the first load of a page must stay small. */
const reader = async (
  format: VideoFormat,
): Promise<((source: ByteSource) => Promise<NotedMetadata>) | undefined> => {
  if (format === 'mp4' || format === 'mov') return (await import('./mp4-metadata')).findMp4Metadata;
  if (format === 'webm' || format === 'matroska') {
    return (await import('./matroska-metadata')).findMatroskaMetadata;
  }
  return undefined;
};

/**
 * Lists the kinds of metadata in a video, and counts its tracks.
 *
 * None of the metadata is in the result: it is made from decoded frames and from packets of sound alone. The content of
 * tracks is not read, so that a track with measurements counts as telemetry, whether or not it contains positions.
 *
 * @returns nothing for the containers that are always converted (AVI, WMV and others), which have no reader here, and
 *   for files whose structure is damaged: an incomplete list would claim too little
 */
export const findVideoMetadata = async (
  source: ByteSource,
  format: VideoFormat,
): Promise<Pick<Provenance, 'sourceMetadata' | 'sourceTracks'>> => {
  try {
    const found = await (await reader(format))?.(source);
    if (!found) return {};
    const { kinds, tracks } = found;
    return { sourceMetadata: METADATA_KINDS.filter((kind) => kinds.has(kind)), sourceTracks: tracks };
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof RangeError) return {};
    throw error;
  }
};
