import { isReadDirectly, type VideoFormat } from '../../catalogue/formats';
import { LIMITS } from '../../domain/limits';
import { UnreadableFile } from '../../domain/failure';
import type { ByteSource } from '../../ports/video';
import { checkMatroska } from './check-matroska';
import { checkMp4, type CheckedVideo } from './check-mp4';
import type { FoundInVideo } from '../../domain/image-header';

/**
 * Checks a video's container before a demuxer reads it, and notes what it contains next to video and sound.
 *
 * None of the metadata is in the result: it is made from decoded frames and from packets of sound alone. The content of
 * tracks is not read, so that a track with measurements counts as telemetry, whether or not it contains positions.
 *
 * @param maxSamples maximum number of samples for each track
 * @throws UnreadableFile
 */
export const checkVideo = (
  source: ByteSource,
  format: VideoFormat,
  maxSamples: number,
): Promise<CheckedVideo> =>
  format === 'mp4' || format === 'mov' ? checkMp4(source, maxSamples) : checkMatroska(source);

/** Metadata of a video; nothing for the containers that are always converted, which have no reader here. */
export const findVideoMetadata = async (source: ByteSource, format: VideoFormat): Promise<FoundInVideo> => {
  if (!isReadDirectly(format)) return {};
  try {
    return (await checkVideo(source, format, LIMITS.maxVideoFrames)).found;
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof RangeError) return {};
    throw error;
  }
};
