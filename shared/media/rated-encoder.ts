import {
  CustomVideoEncoder,
  EncodedPacket,
  registerEncoder,
  type VideoCodec,
  type VideoSample,
} from 'mediabunny';
import { encodeToSize } from './encode-to-size';
import type { RateControl } from './rate-control';

/** Maximum number of frames in the encoder's queue. */
const MAX_QUEUED = 3;

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
    while (encoder.encodeQueueSize > MAX_QUEUED && this.#fault === undefined) {
      await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
    }
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
