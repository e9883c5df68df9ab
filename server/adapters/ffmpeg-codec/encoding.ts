import { startCoder } from './coder-process';
import { createFlvReader } from './flv-packets';
import type { CoderSettings } from './settings';

export interface EncodingOptions {
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  /** Bits per second, or an H.264 quantizer for constant quality. */
  readonly rate: { readonly bitRate: number } | { readonly quantizer: number };
  readonly colorSpace: VideoColorSpaceInit;
}

export interface EncodingListener {
  onConfiguration(avcc: Uint8Array): void;
  /** Called for each frame, in order. */
  onPacket(data: Uint8Array, isKey: boolean): void;
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

/** ffmpeg's names for those of WebCodecs, where they differ. */
const TRANSFERS: Readonly<Record<string, string>> = { pq: 'smpte2084', hlg: 'arib-std-b67' };
const MATRICES: Readonly<Record<string, string>> = { 'bt2020-ncl': 'bt2020nc', rgb: 'gbr' };

const colourArguments = ({ matrix, primaries, transfer, fullRange }: VideoColorSpaceInit): string[] => [
  ...(matrix ? ['-colorspace', MATRICES[matrix] ?? matrix] : []),
  ...(primaries ? ['-color_primaries', primaries] : []),
  ...(transfer ? ['-color_trc', TRANSFERS[transfer] ?? transfer] : []),
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
