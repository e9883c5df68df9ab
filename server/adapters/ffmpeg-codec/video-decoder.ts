import { bytesOf } from '#shared/media/silent-packets';
import type { CoderSettings, CoderState } from './coder-process';
import { startDecoding, type Decoding, type DecodingTrack, type DecodedFrame } from './decoding';
import { type RawEncodedChunk, RawVideoFrame } from './video-frame';

interface Coding {
  /** First parts of WebCodecs' codec strings. */
  readonly names: readonly string[];
  /** The codec's name in Matroska. */
  readonly codecId: string;
  /** Names of ffmpeg's decoders; one of them is enough. */
  readonly decoders: readonly string[];
}

const CODINGS: readonly Coding[] = [
  { names: ['avc1', 'avc3'], codecId: 'V_MPEG4/ISO/AVC', decoders: ['h264'] },
  { names: ['hvc1', 'hev1'], codecId: 'V_MPEGH/ISO/HEVC', decoders: ['hevc'] },
  { names: ['vp8'], codecId: 'V_VP8', decoders: ['vp8', 'libvpx'] },
  { names: ['vp09'], codecId: 'V_VP9', decoders: ['vp9', 'libvpx-vp9'] },
  { names: ['av01'], codecId: 'V_AV1', decoders: ['libdav1d', 'libaom-av1'] },
];

const codingOf = ({ codec }: VideoDecoderConfig): Coding | undefined =>
  CODINGS.find(({ names }) => names.includes(codec.split('.')[0] as string));

const trackOf = (config: VideoDecoderConfig): DecodingTrack => {
  const coding = codingOf(config);
  if (!coding) throw new DOMException(`The coding ${config.codec} is not known.`, 'NotSupportedError');
  return {
    codecId: coding.codecId,
    codecPrivate: config.description && bytesOf(config.description),
    width: config.codedWidth ?? 1,
    height: config.codedHeight ?? 1,
    isRgb: config.colorSpace?.matrix === 'rgb',
  };
};

const frameOf = (decoded: DecodedFrame, duration: number | undefined): RawVideoFrame =>
  new RawVideoFrame(decoded.bytes, {
    format: decoded.layout.format,
    codedWidth: decoded.width,
    codedHeight: decoded.height,
    timestamp: decoded.timestampUs,
    duration,
    colorSpace: decoded.colorSpace,
  });

interface DecoderInit {
  output(frame: RawVideoFrame): void;
  error(error: Error): void;
}

/**
 * WebCodecs' `VideoDecoder` on an ffmpeg process.
 *
 * A rejected packet is an error, as in the standard: the caller restarts decoding after it. A frame of which ffmpeg
 * conceals lost parts is no error.
 */
export class FfmpegVideoDecoder extends EventTarget {
  state: CoderState = 'unconfigured';
  decodeQueueSize = 0;
  readonly #settings: CoderSettings;
  readonly #init: DecoderInit;
  readonly #durations = new Map<number, number | undefined>();
  #track: DecodingTrack | undefined;
  #decoding: Decoding | undefined;

  constructor(settings: CoderSettings, init: DecoderInit) {
    super();
    this.#settings = settings;
    this.#init = init;
  }

  static supports({ can }: CoderSettings, config: VideoDecoderConfig): boolean {
    return codingOf(config)?.decoders.some(can.decode) ?? false;
  }

  configure(config: VideoDecoderConfig): void {
    this.#track = trackOf(config);
    this.state = 'configured';
  }

  decode({ timestamp, duration, type, data }: RawEncodedChunk): void {
    const track = this.#track;
    if (this.state !== 'configured' || !track) {
      throw new DOMException('The decoder is closed.', 'InvalidStateError');
    }
    this.#decoding ??= startDecoding(this.#settings, track, {
      onFrame: (frame) => this.#emit(frame),
      onError: (error) => this.#fail(error),
    });
    this.#durations.set(timestamp, duration ?? undefined);
    this.decodeQueueSize++;
    void this.#decoding.give({ timestampUs: timestamp, isKey: type === 'key', data }).then(() => {
      this.decodeQueueSize--;
      this.dispatchEvent(new Event('dequeue'));
    });
  }

  /** Decodes all remaining packets. @throws where one was rejected */
  async flush(): Promise<void> {
    const decoding = this.#decoding;
    await decoding?.finish();
    if (this.state !== 'configured') throw new DOMException('Decoding failed.', 'EncodingError');
    this.#decoding = undefined;
  }

  reset(): void {
    this.#decoding?.kill();
    this.#decoding = undefined;
    this.#durations.clear();
  }

  close(): void {
    this.reset();
    this.state = 'closed';
  }

  #emit(decoded: DecodedFrame): void {
    if (this.state !== 'configured') return;
    const duration = this.#durations.get(decoded.timestampUs);
    this.#durations.delete(decoded.timestampUs);
    this.#init.output(frameOf(decoded, duration));
  }

  #fail(error: Error): void {
    if (this.state !== 'configured') return;
    this.close();
    this.#init.error(error);
  }
}
