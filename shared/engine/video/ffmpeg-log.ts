import { US_PER_SECOND } from '../../domain/time-units';

/** What ffmpeg tells of a conversion while it runs and when it ends, at the log level {@link FFMPEG_LOG_LEVEL}. */
export interface FfmpegLog {
  /** @param text what it writes to its standard error, in pieces of any size */
  add(text: string): void;
  /** The end of its errors: for the log alone, as it quotes the file. */
  errorText(): string;
  /** How much of the file is converted, 0..1; 0 where the file does not state its length. */
  share(): number;
  /** Something in the file could not be read. */
  isDamaged(): boolean;
  /** Packets of the video that gave no frame, because decoding failed. */
  undecodedFrames(): number;
  /** Of the video's packets, without the audio's; undefined: it did not say. */
  videoBytes(): number | undefined;
}

/** Each line says how grave it is, none is left out because it repeats, and the last ones count packets. */
export const FFMPEG_LOG_LEVEL = 'repeat+level+verbose';

const MAX_ERROR_CHARS = 2_000;
const MAX_LINE_CHARS = 4_000;

const LEVEL = /\[(?<level>panic|fatal|error|warning|info|verbose)\] (?<message>.*)/;
const DURATION = /^ *Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?),/;
const OUT_TIME = /^out_time_us=(\d+)/;
const VIDEO_INPUT =
  /^ *Input stream #0:(?<index>\d+) \(video\): (?<packets>\d+) packets read \((?<bytes>\d+) bytes\); (?<frames>\d+) frames decoded(?:; (?<errors>\d+) decode errors)?/;
/** Of versions before 6.1, which do not count. */
const DECODE_ERROR = /^Error while decoding stream #0:(\d+)/;

interface VideoInput {
  readonly index: string;
  readonly packets: number;
  readonly bytes: number;
  readonly frames: number;
  /** Absent before version 6.1. */
  readonly errors: number | undefined;
}

const videoInputIn = (message: string): VideoInput | undefined => {
  const found = VIDEO_INPUT.exec(message)?.groups;
  if (!found) return undefined;
  const { index = '', packets, bytes, frames, errors } = found;
  return {
    index,
    packets: Number(packets),
    bytes: Number(bytes),
    frames: Number(frames),
    errors: errors === undefined ? undefined : Number(errors),
  };
};

const durationIn = (message: string): number | undefined => {
  const [, hours, minutes, seconds] = DURATION.exec(message) ?? [];
  return hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
};

export const createFfmpegLog = (): FfmpegLog => {
  let rest = '';
  let errorText = '';
  let isDamaged = false;
  let durationS: number | undefined;
  let doneS = 0;
  let video: VideoInput | undefined;
  const errorsByStream = new Map<string, number>();

  const readFault = (isError: boolean, message: string): void => {
    if (isError) errorText = `${errorText}${message}\n`.slice(-MAX_ERROR_CHARS);
    isDamaged ||= isError || /corrupt/i.test(message);
    const stream = DECODE_ERROR.exec(message)?.[1];
    if (stream !== undefined) errorsByStream.set(stream, (errorsByStream.get(stream) ?? 0) + 1);
  };
  const readFact = (message: string): void => {
    durationS ??= durationIn(message);
    const input = videoInputIn(message);
    if (input && input.packets > 0) video = input;
  };
  const readLine = (line: string): void => {
    const outTime = OUT_TIME.exec(line)?.[1];
    if (outTime !== undefined) doneS = Math.max(doneS, Number(outTime) / US_PER_SECOND);
    const { level, message } = LEVEL.exec(line)?.groups ?? {};
    if (level === undefined || message === undefined) return;
    if (level === 'info' || level === 'verbose') readFact(message);
    else readFault(level !== 'warning', message);
  };
  return {
    add: (text) => {
      const lines = (rest + text).split(/[\r\n]+/);
      rest = (lines.pop() ?? '').slice(-MAX_LINE_CHARS);
      lines.forEach(readLine);
    },
    errorText: () => errorText.trim(),
    share: () => (durationS ? Math.min(1, doneS / durationS) : 0),
    isDamaged: () => isDamaged,
    undecodedFrames: () => {
      if (!video) return 0;
      const errors = video.errors ?? errorsByStream.get(video.index) ?? 0;
      // Fields come as two packets of one frame, so that packets alone say too much.
      return Math.min(errors, Math.max(0, video.packets - video.frames));
    },
    videoBytes: () => video?.bytes,
  };
};
