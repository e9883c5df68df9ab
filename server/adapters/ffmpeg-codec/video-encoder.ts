import { RawEncodedChunk, type RawVideoFrame } from './video-frame';
import { startEncoding, type Encoding, type EncodingOptions } from './encoding';
import { layoutOf } from './frame-info';
import type { CoderSettings, CoderState } from './coder-process';

/** ffmpeg's name of the encoder that is used. */
export const H264_ENCODER = 'libx264';
/** Frames per second if a configuration does not set them. */
const FRAME_RATE = 30;
const QUANTIZER = 22;
/** Bounds of frames per second: ffmpeg rounds rates to thousandths. */
const FRAME_RATES = { min: 0.01, max: 1000 } as const;

interface EncodeOptions {
  readonly keyFrame?: boolean;
  readonly avc?: { readonly quantizer?: number };
}

interface Waiting {
  readonly frame: RawVideoFrame;
  readonly options: EncodeOptions;
}

interface EncoderInit {
  output(chunk: RawEncodedChunk, meta?: EncodedVideoChunkMetadata): void;
  error(error: Error): void;
}

const isEven = (size: number): boolean => size > 0 && size % 2 === 0;

/** The bytes of a frame whose planes follow each other without gaps. @throws Error for other layouts */
const tightBytes = (frame: RawVideoFrame): Uint8Array => {
  const layout = layoutOf('I420', frame.codedWidth, frame.codedHeight);
  const { bytes, planes } = frame.pixels();
  const isTight = layout?.planes.every(
    ({ offset, stride }, index) => offset === planes[index]?.offset && stride === planes[index]?.stride,
  );
  if (!isTight || frame.format !== 'I420') throw new Error('Only I420 frames without gaps can be encoded.');
  return bytes;
};

/** Codec string of RFC 6381: profile, constraints and level, from the decoder's configuration record. */
const codecOf = (avcc: Uint8Array): string => `avc1.${Buffer.from(avcc.subarray(1, 4)).toString('hex')}`;

/**
 * WebCodecs' `VideoEncoder` for H.264 on ffmpeg processes.
 *
 * Each requested key frame starts a new process, because a running ffmpeg cannot be told to write one.
 */
export class FfmpegVideoEncoder extends EventTarget {
  state: CoderState = 'unconfigured';
  readonly #settings: CoderSettings;
  readonly #init: EncoderInit;
  /** Frames that ffmpeg has not taken yet. */
  readonly #queue: Waiting[] = [];
  /** Frames that ffmpeg has taken and not encoded yet. */
  readonly #encoded: Pick<RawVideoFrame, 'timestamp' | 'duration' | 'colorSpace'>[] = [];
  #config: VideoEncoderConfig | undefined;
  #avcc: Uint8Array | undefined;
  #encoding: Encoding | undefined;
  #pumping: Promise<void> = Promise.resolve();
  #isPumping = false;

  constructor(settings: CoderSettings, init: EncoderInit) {
    super();
    this.#settings = settings;
    this.#init = init;
  }

  static supports({ can }: CoderSettings, { codec, width, height }: VideoEncoderConfig): boolean {
    return /^avc[13]\./.test(codec) && isEven(width) && isEven(height) && can.encode(H264_ENCODER);
  }

  get encodeQueueSize(): number {
    return this.#queue.length;
  }

  configure(config: VideoEncoderConfig): void {
    this.#config = config;
    this.state = 'configured';
  }

  encode(frame: RawVideoFrame, options: EncodeOptions = {}): void {
    if (this.state !== 'configured') throw new DOMException('The encoder is closed.', 'InvalidStateError');
    this.#queue.push({ frame: frame.clone(), options });
    if (!this.#isPumping) this.#pumping = this.#pump();
  }

  async flush(): Promise<void> {
    await this.#pumping;
    await this.#finish().catch((error: unknown) => this.#fail(error));
    if (this.state !== 'configured') throw new DOMException('Encoding failed.', 'EncodingError');
  }

  close(): void {
    this.state = 'closed';
    this.#encoding?.kill();
    this.#encoding = undefined;
    for (const { frame } of this.#queue.splice(0)) frame.close();
    this.dispatchEvent(new Event('dequeue'));
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    try {
      for (let next = this.#queue[0]; next; next = this.#queue[0]) {
        await this.#give(next);
        if (this.state !== 'configured') return;
        this.#queue.shift();
        this.dispatchEvent(new Event('dequeue'));
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isPumping = false;
    }
  }

  async #give({ frame, options }: Waiting): Promise<void> {
    if (options.keyFrame) await this.#finish();
    if (this.state !== 'configured') return;
    this.#encoding ??= this.#start(frame, options);
    const { timestamp, duration, colorSpace } = frame;
    this.#encoded.push({ timestamp, duration, colorSpace });
    await this.#encoding.give(tightBytes(frame));
    frame.close();
  }

  #start(frame: RawVideoFrame, options: EncodeOptions): Encoding {
    const { framerate = FRAME_RATE, bitrate, bitrateMode } = this.#config as VideoEncoderConfig;
    const rate: EncodingOptions['rate'] =
      bitrateMode === 'quantizer' || bitrate === undefined
        ? { quantizer: options.avc?.quantizer ?? QUANTIZER }
        : { bitRate: bitrate };
    return startEncoding(
      this.#settings,
      {
        width: frame.codedWidth,
        height: frame.codedHeight,
        frameRate: Math.min(FRAME_RATES.max, Math.max(FRAME_RATES.min, framerate)),
        rate,
        colorSpace: frame.colorSpace.toJSON(),
      },
      {
        onConfiguration: (avcc) => (this.#avcc = avcc),
        onPacket: (data, isKey) => this.#emit(data, isKey),
      },
    );
  }

  async #finish(): Promise<void> {
    const encoding = this.#encoding;
    if (!encoding) return;
    await encoding.finish();
    this.#encoding = undefined;
    if (this.#encoded.length > 0) throw new Error('ffmpeg did not encode all frames.');
  }

  #emit(data: Uint8Array, isKey: boolean): void {
    const frame = this.#encoded.shift();
    const avcc = this.#avcc;
    if (this.state !== 'configured' || !frame || !avcc) return;
    const { timestamp, duration, colorSpace } = frame;
    const chunk = new RawEncodedChunk({
      type: isKey ? 'key' : 'delta',
      timestamp,
      duration: duration ?? undefined,
      data,
    });
    this.#init.output(chunk, isKey ? { decoderConfig: this.#decoderConfig(avcc, colorSpace.toJSON()) } : {});
  }

  #decoderConfig(avcc: Uint8Array, colorSpace: VideoColorSpaceInit): VideoDecoderConfig {
    const { width, height, displayWidth, displayHeight } = this.#config as VideoEncoderConfig;
    return {
      codec: codecOf(avcc),
      codedWidth: width,
      codedHeight: height,
      description: avcc,
      colorSpace,
      ...(displayWidth && displayHeight
        ? { displayAspectWidth: displayWidth, displayAspectHeight: displayHeight }
        : {}),
    };
  }

  #fail(error: unknown): void {
    if (this.state === 'closed') return;
    this.close();
    this.#init.error(error instanceof Error ? error : new Error(String(error)));
  }
}
