import { startCoder, type CoderSettings } from './coder-process';
import { ffmpegName } from './frame-info';

/** Receives the contents of a stream. */
export interface EncodingListener {
  /** @param avcc the decoder's configuration record (ISO/IEC 14496-15) */
  onConfiguration(avcc: Uint8Array): void;
  /** Called for each frame, in order. @param data NAL units, each after its length, as in MP4 */
  onPacket(data: Uint8Array, isKey: boolean): void;
}

const FILE_HEADER_BYTES = 9;
const TAG_SIZE_BYTES = 4;
const TAG_HEADER_BYTES = 11;
const VIDEO_TAG = 9;
/** Size of frame type and codec, packet type and composition time. */
const AVC_HEADER_BYTES = 5;
const KEY_FRAME = 1;
const PACKET_TYPE = { configuration: 0, units: 1 } as const;

const readTag = (body: Buffer, listener: EncodingListener): void => {
  const data = Uint8Array.from(body.subarray(AVC_HEADER_BYTES));
  if (body[1] === PACKET_TYPE.configuration) listener.onConfiguration(data);
  else if (body[1] === PACKET_TYPE.units) listener.onPacket(data, (body[0] as number) >> 4 === KEY_FRAME);
};

/**
 * Reads H.264 packets from an FLV stream. FLV is used because each packet begins with its length.
 *
 * @see Adobe Flash Video File Format Specification 10.1, annex E
 */
const createFlvReader = (listener: EncodingListener): ((piece: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0);
  let skip = FILE_HEADER_BYTES + TAG_SIZE_BYTES;
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (;;) {
      if (rest.length < skip + TAG_HEADER_BYTES) return;
      const size = rest.readUIntBE(skip + 1, 3);
      const end = skip + TAG_HEADER_BYTES + size;
      if (rest.length < end) return;
      if (rest[skip] === VIDEO_TAG) readTag(rest.subarray(skip + TAG_HEADER_BYTES, end), listener);
      rest = rest.subarray(end);
      skip = TAG_SIZE_BYTES;
    }
  };
};

export interface EncodingOptions {
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  /** Bits per second, or an H.264 quantizer for constant quality. */
  readonly rate: { readonly bitRate: number } | { readonly quantizer: number };
  readonly colorSpace: VideoColorSpaceInit;
}

/** One ffmpeg process that encodes frames. Only the first one becomes a key frame. */
export interface Encoding {
  /** Resolves when the program has taken the frame. @param bytes I420 planes without gaps */
  give(bytes: Uint8Array): Promise<void>;
  /** Ends the input. Resolves when all packets were passed to the listener. @throws where ffmpeg failed */
  finish(): Promise<void>;
  kill(): void;
}

const MAX_IDLE_MS = 60_000;
/** Interval of automatic key frames. Too long to occur, because the caller decides where key frames are. */
const NO_KEY_FRAMES = '100000';

const colourArguments = ({ matrix, primaries, transfer, fullRange }: VideoColorSpaceInit): string[] => [
  ...(matrix ? ['-colorspace', ffmpegName(matrix)] : []),
  ...(primaries ? ['-color_primaries', primaries] : []),
  ...(transfer ? ['-color_trc', ffmpegName(transfer)] : []),
  ...(fullRange == null ? [] : ['-color_range', fullRange ? 'pc' : 'tv']),
];

const rateArguments = (rate: EncodingOptions['rate']): string[] => {
  if ('quantizer' in rate) return ['-crf', String(rate.quantizer)];
  return ['-b:v', String(rate.bitRate)];
};

/** Arguments of an encoder without B-frames, so that packets have the order of the frames. */
const argumentsOf = (options: EncodingOptions, { threads }: CoderSettings): string[] => [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-protocol_whitelist', 'pipe'],
  ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', `${options.width}x${options.height}`],
  ...['-framerate', String(options.frameRate), ...colourArguments(options.colorSpace), '-i', 'pipe:0'],
  ...['-c:v', 'libx264', '-preset', 'superfast', '-bf', '0', '-g', NO_KEY_FRAMES, '-sc_threshold', '0'],
  ...['-threads', String(threads), ...rateArguments(options.rate), ...colourArguments(options.colorSpace)],
  ...['-flvflags', 'no_duration_filesize', '-flush_packets', '1', '-f', 'flv', 'pipe:1'],
];

export const startEncoding = (
  settings: CoderSettings,
  options: EncodingOptions,
  listener: EncodingListener,
): Encoding => {
  const coder = startCoder(settings, argumentsOf(options, settings), {
    onOutput: createFlvReader(listener),
  });
  const withinTime = async <T>(work: Promise<T>): Promise<T> => {
    const idle = setTimeout(coder.kill, MAX_IDLE_MS);
    try {
      return await work;
    } finally {
      clearTimeout(idle);
    }
  };
  return {
    give: (bytes) => withinTime(coder.write(bytes)),
    finish: async () => {
      const { isDone, fault } = await withinTime(coder.end());
      if (fault) settings.onFault(fault);
      if (!isDone) throw fault ?? new Error('ffmpeg could not encode a frame.');
    },
    kill: coder.kill,
  };
};
