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
/** Off the size that is wanted: near enough. */
const TOLERANCE = 0.015;
/** No try asks for more or less than these times what is wanted. */
const BOUNDS = { min: 0.2, max: 5 } as const;
/** How bytes follow the bits that are asked for, as a power: what encoders do lies between. */
const SLOPES = { min: 0.4, usual: 1, max: 2.5 } as const;
/** Encoders refuse less, in bits per second. */
const MIN_BIT_RATE = 10_000;
/** Frames given to the encoder and not yet taken up by it. */
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

/** What to ask for next, by what the last tries gave. */
const nextAsked = (last: Try, before: Try | undefined, wantedBytes: number): number => {
  const slope =
    before && before.asked !== last.asked && before.bytes !== last.bytes
      ? Math.log(last.bytes / before.bytes) / Math.log(last.asked / before.asked)
      : SLOPES.usual;
  return last.asked * (wantedBytes / last.bytes) ** (1 / clamp(slope, SLOPES.min, SLOPES.max));
};

/**
 * Encodes a few seconds again and again until they are as many bytes as wanted, and gives the try that is nearest.
 *
 * In a short video an encoder's own rate control has no time to settle, and one that begins anew pays for a key frame.
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
