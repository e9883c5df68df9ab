import type { ByteSource, VideoCodec, VideoLimits, VideoReader } from '../../ports/video';
import type { VideoProgress } from '../../ports/engine';

/** Share of the conversion in the total progress: it takes little time compared with detection. */
const CONVERSION_SHARE = 0.1;

/** Share of the work on a video that is done, 0..1. */
export const workDone = ({ framesDone, framesTotal, converted }: VideoProgress): number => {
  const frames = framesDone / framesTotal;
  return converted === undefined ? frames : CONVERSION_SHARE * converted + (1 - CONVERSION_SHARE) * frames;
};

/** Number of retries of a failed read. */
const READ_RETRIES = 3;

const readWithRetries = async (source: ByteSource, start: number, end: number): Promise<Uint8Array> => {
  for (let retriesLeft = READ_RETRIES; ; retriesLeft--) {
    try {
      return await source.read(start, end);
    } catch (error) {
      if (retriesLeft === 0) throw error;
    }
  }
};

/** A source that retries failed reads, because network disks fail for short times. */
export const retryReads = (source: ByteSource): ByteSource => ({
  ...source,
  read: (start, end) => readWithRetries(source, start, end),
});

/** Opens a video without any conversion. @throws UnsupportedCoding if it would have to be converted */
export const openDirectly = (
  codec: VideoCodec,
  source: ByteSource,
  limits: VideoLimits,
  signal: AbortSignal,
): Promise<VideoReader> => (codec.openDirectly ?? codec.open)(source, limits, signal);
