import { EncodedPacket, type VideoSample } from 'mediabunny';
import { clamp } from '../domain/clamp';

/** A packet with the encoder's metadata. */
export interface CodedFrame {
  readonly packet: EncodedPacket;
  readonly meta: EncodedVideoChunkMetadata | undefined;
}

interface Attempt {
  /** Requested rate, in bits per second. */
  readonly bitRate: number;
  readonly bytes: number;
  readonly frames: readonly CodedFrame[];
}

const MAX_ATTEMPTS = 5;
/** Relative difference from the wanted size that is accepted. */
const TOLERANCE = 0.015;
/** Bounds of the requested rate, relative to the wanted one. */
const BOUNDS = { min: 0.2, max: 5 } as const;
/** Bytes grow with the requested rate to the power of this exponent, which differs by encoder and content. */
const SLOPES = { min: 0.4, usual: 1, max: 2.5 } as const;
/** Minimum rate that encoders accept, in bits per second. */
const MIN_BIT_RATE = 10_000;
/** Maximum number of frames in the encoder's queue. */
const MAX_QUEUED = 3;

const encodeOnce = async (
  config: VideoEncoderConfig,
  samples: readonly VideoSample[],
  bitRate: number,
): Promise<Attempt> => {
  const frames: CodedFrame[] = [];
  let fault: Error | undefined;
  let bytes = 0;
  const encoder = new VideoEncoder({
    output: (chunk, meta) => {
      const packet = EncodedPacket.fromEncodedChunk(chunk);
      bytes += packet.byteLength;
      frames.push({ packet, meta });
    },
    error: (error) => (fault ??= error),
  });
  try {
    encoder.configure({ ...config, bitrate: bitRate });
    for (const [index, sample] of samples.entries()) {
      const frame = sample.toVideoFrame();
      encoder.encode(frame, { keyFrame: index === 0 });
      frame.close();
      while (encoder.encodeQueueSize > MAX_QUEUED && fault === undefined) {
        await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
      }
      if (fault !== undefined) throw fault;
    }
    await encoder.flush();
    if (fault !== undefined) throw fault;
    return { bitRate, bytes, frames };
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
};

/** The rate to request next, estimated from the last two attempts. */
const nextBitRate = (last: Attempt, before: Attempt | undefined, wantedBytes: number): number => {
  const slope =
    before && before.bitRate !== last.bitRate && before.bytes !== last.bytes
      ? Math.log(last.bytes / before.bytes) / Math.log(last.bitRate / before.bitRate)
      : SLOPES.usual;
  return last.bitRate * (wantedBytes / last.bytes) ** (1 / clamp(slope, SLOPES.min, SLOPES.max));
};

/**
 * Encodes a short video repeatedly until its size is near the wanted one, and returns the nearest attempt.
 *
 * An encoder's own rate control has no time to settle in a short video, and each part of its own costs a key frame.
 *
 * @param samples all frames in order; the caller closes them
 * @throws where the encoder fails
 */
export const encodeToSize = async (
  config: VideoEncoderConfig,
  samples: readonly VideoSample[],
  wantedBytes: number,
  seconds: number,
): Promise<readonly CodedFrame[]> => {
  const usual = Math.max(MIN_BIT_RATE, (wantedBytes * 8) / seconds);
  const bound = (bitRate: number): number =>
    Math.round(Math.max(MIN_BIT_RATE, clamp(bitRate, usual * BOUNDS.min, usual * BOUNDS.max)));
  const relativeError = ({ bytes }: Attempt): number => Math.abs(bytes / wantedBytes - 1);
  let last = await encodeOnce(config, samples, bound(usual));
  let best = last;
  let before: Attempt | undefined;
  for (let attempts = 1; attempts < MAX_ATTEMPTS && relativeError(best) > TOLERANCE; attempts++) {
    const bitRate = bound(nextBitRate(last, before, wantedBytes));
    if (bitRate === last.bitRate) break;
    before = last;
    last = await encodeOnce(config, samples, bitRate);
    if (relativeError(last) < relativeError(best)) best = last;
    if (last.bytes === before.bytes) break; // the encoder has reached its best or worst quality
  }
  return best.frames;
};
