import type { MediaFiles, VideoSurvey } from '../../ports/engine';
import type { VideoCodec, VideoLimits } from '../../ports/video';
import { UnsupportedCoding } from '../../domain/failure';
import { openDirectly, retryReads } from './video-source';

/** @returns undefined if the video would have to be converted @throws UnreadableFile */
export const surveyVideo = async (
  limits: VideoLimits,
  { source }: Pick<MediaFiles, 'source'>,
  codec: VideoCodec,
  signal: AbortSignal,
): Promise<VideoSurvey | undefined> => {
  signal.throwIfAborted();
  try {
    const reader = await openDirectly(codec, retryReads(source), limits, signal);
    reader.close();
    const { width, height, frameCount, endUs } = reader;
    return { frameCount, pixels: width * height, endUs };
  } catch (error) {
    if (error instanceof UnsupportedCoding) return undefined;
    throw error;
  }
};
