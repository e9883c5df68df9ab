import {
  type VideoCodec,
  type VideoSample,
  CustomVideoEncoder,
  EncodedPacket,
  registerEncoder,
} from 'mediabunny';
import { MIN_BIT_RATE, type RateControl } from './rate-control';
import { clamp } from '../domain/clamp';

/** A packet with the encoder's metadata. */
interface CodedFrame {
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
/** Maximum number of frames in the encoder's queue. */
const MAX_QUEUED = 3;

/** Waits until an encoder can take more frames, or has failed. */
const roomIn = async (encoder: VideoEncoder, hasFailed: () => boolean): Promise<void> => {
  while (encoder.encodeQueueSize > MAX_QUEUED && !hasFailed()) {
    await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
  }
};

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
      await roomIn(encoder, () => fault !== undefined);
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
const encodeToSize = async (
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

/** Maximum memory for the raw frames of a short video; a video with more is encoded in parts. */
const MAX_HELD_BYTES = 192 * 1024 ** 2;

/** The rate control of each configuration that has one. The library's own encoders serve all other configurations. */
const controls = new WeakMap<VideoEncoderConfig, RateControl>();

/** Encodes H.264 with our own rate control: a new encoder with a new bit rate for each part. */
class RatedEncoder extends CustomVideoEncoder {
  #encoder: VideoEncoder | undefined;
  #fault: Error | undefined;
  /** All frames of a short video so far. */
  #held: VideoSample[] = [];
  #heldBytes = 0;
  /** Exact times by microsecond: encoders round times to microseconds. */
  readonly #times = new Map<number, Pick<VideoSample, 'timestamp' | 'duration'>>();

  static override supports(_codec: VideoCodec, config: VideoEncoderConfig): boolean {
    return controls.has(config);
  }

  get #control(): RateControl {
    return controls.get(this.config) as RateControl;
  }

  init(): void {
    // Each part has an encoder of its own.
  }

  #open(bitrate: number): VideoEncoder {
    const encoder = new VideoEncoder({
      output: (chunk, meta) => {
        const packet = EncodedPacket.fromEncodedChunk(chunk);
        const times = this.#times.get(chunk.timestamp);
        this.#times.delete(chunk.timestamp);
        this.#control.encoded(packet.byteLength);
        this.onPacket(times ? packet.clone(times) : packet, meta);
      },
      error: (error) => (this.#fault ??= error),
    });
    encoder.configure({ ...this.config, bitrate });
    return encoder;
  }

  async encode(sample: VideoSample): Promise<void> {
    if (this.#control.whole && this.#encoder === undefined) {
      this.#held.push(sample.clone());
      this.#heldBytes += sample.allocationSize();
      if (this.#heldBytes > MAX_HELD_BYTES) await this.#release();
      return;
    }
    await this.#encodePart(sample);
  }

  /** Encodes the held frames in parts, because they need too much memory. */
  async #release(): Promise<void> {
    for (const sample of this.#held.splice(0)) {
      using held = sample;
      await this.#encodePart(held);
    }
  }

  /** Encodes all frames of a short video at its end, repeatedly until the size fits. */
  async #encodeHeld({ bytes, seconds }: NonNullable<RateControl['whole']>): Promise<void> {
    const samples = this.#held.splice(0);
    try {
      const coded = await encodeToSize(this.config, samples, bytes, seconds);
      for (const { timestamp, duration, microsecondTimestamp } of samples) {
        this.#times.set(microsecondTimestamp, { timestamp, duration });
      }
      for (const { packet, meta } of coded) {
        const times = this.#times.get(packet.microsecondTimestamp);
        this.onPacket(times ? packet.clone(times) : packet, meta);
      }
    } finally {
      for (const sample of samples) sample.close();
    }
  }

  async #encodePart(sample: VideoSample): Promise<void> {
    const keyFrame = this.#control.beginsPart(sample.timestamp);
    if (keyFrame) {
      await this.flush();
      this.close();
      this.#encoder = this.#open(this.#control.nextPart(sample.timestamp));
    }
    const encoder = this.#encoder as VideoEncoder;
    const frame = sample.toVideoFrame();
    const { timestamp, duration } = sample;
    this.#times.set(frame.timestamp, { timestamp, duration });
    try {
      encoder.encode(frame, { keyFrame });
    } finally {
      frame.close();
    }
    await roomIn(encoder, () => this.#fault !== undefined);
    this.#check();
  }

  async flush(): Promise<void> {
    this.#check();
    const { whole } = this.#control;
    if (whole && this.#held.length > 0) await this.#encodeHeld(whole);
    if (this.#encoder?.state === 'configured') await this.#encoder.flush();
    this.#check();
  }

  close(): void {
    for (const sample of this.#held.splice(0)) sample.close();
    if (this.#encoder && this.#encoder.state !== 'closed') this.#encoder.close();
  }

  #check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }
}

registerEncoder(RatedEncoder);

/** Makes the encoder with this configuration follow a rate control. */
export const encodeAtRate = (config: VideoEncoderConfig, control: RateControl): void => {
  controls.set(config, control);
};
