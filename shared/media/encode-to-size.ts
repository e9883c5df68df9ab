import { EncodedPacket, type VideoSample } from 'mediabunny';
import { clamp } from '../domain/clamp';

/** A packet, and what the encoder says of it. */
export interface CodedFrame {
  readonly packet: EncodedPacket;
  readonly meta: EncodedVideoChunkMetadata | undefined;
}

interface Try {
  /** Bits per second. */
  readonly asked: number;
  readonly bytes: number;
  readonly frames: readonly CodedFrame[];
}

const MAX_TRIES = 5;
/** Relative difference from the wanted size that is accepted. */
const TOLERANCE = 0.015;
/** Bounds of the requested rate, relative to the wanted one. */
const BOUNDS = { min: 0.2, max: 5 } as const;
/** Exponent by which bytes follow the requested bits; encoders are between these bounds. */
const SLOPES = { min: 0.4, usual: 1, max: 2.5 } as const;
/** Minimum rate that encoders accept, in bits per second. */
const MIN_BIT_RATE = 10_000;
/** Maximum number of frames in the encoder's queue. */
const MAX_QUEUED = 3;

const encodeOnce = async (
  config: VideoEncoderConfig,
  samples: readonly VideoSample[],
  asked: number,
): Promise<Try> => {
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
    encoder.configure({ ...config, bitrate: asked });
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
    return { asked, bytes, frames };
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
};

/** The rate to request next, by the results of the last tries. */
const nextAsked = (last: Try, before: Try | undefined, wantedBytes: number): number => {
  const slope =
    before && before.asked !== last.asked && before.bytes !== last.bytes
      ? Math.log(last.bytes / before.bytes) / Math.log(last.asked / before.asked)
      : SLOPES.usual;
  return last.asked * (wantedBytes / last.bytes) ** (1 / clamp(slope, SLOPES.min, SLOPES.max));
};

/**
 * Encodes a few seconds repeatedly until they have the wanted number of bytes, and returns the nearest try.
 *
 * In a short video an encoder's own rate control has no time to settle, and one that restarts pays for a key frame.
 *
 * @param samples whole video, in order; they stay the caller's
 * @throws where the encoder fails
 */
export const encodeToSize = async (
  config: VideoEncoderConfig,
  samples: readonly VideoSample[],
  wantedBytes: number,
  seconds: number,
): Promise<readonly CodedFrame[]> => {
  const usual = Math.max(MIN_BIT_RATE, (wantedBytes * 8) / seconds);
  const bound = (asked: number): number =>
    Math.round(Math.max(MIN_BIT_RATE, clamp(asked, usual * BOUNDS.min, usual * BOUNDS.max)));
  const off = ({ bytes }: Try): number => Math.abs(bytes / wantedBytes - 1);
  let last = await encodeOnce(config, samples, bound(usual));
  let best = last;
  let before: Try | undefined;
  for (let tries = 1; tries < MAX_TRIES && off(best) > TOLERANCE; tries++) {
    const asked = bound(nextAsked(last, before, wantedBytes));
    if (asked === last.asked) break;
    before = last;
    last = await encodeOnce(config, samples, asked);
    if (off(last) < off(best)) best = last;
    if (last.bytes === before.bytes) break; // its finest, or coarsest: whatever is asked for
  }
  return best.frames;
};
