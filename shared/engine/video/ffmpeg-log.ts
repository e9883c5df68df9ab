import { US_PER_SECOND } from '../../domain/time-units';

/** Facts about a conversion from ffmpeg's log at the level {@link FFMPEG_LOG_LEVEL}, while it runs and when it ends. */
export interface FfmpegLog {
  /** @param text output of ffmpeg's standard error, in pieces of any size */
  add(text: string): void;
  /** The last characters of the errors: only for the log, because ffmpeg quotes the file. */
  errorText(): string;
  /** Share of the file that is converted, 0..1; 0 if the file does not state its length. */
  share(): number;
  /** Whether a part of the file could not be read. */
  isDamaged(): boolean;
  /** Number of video packets that could not be decoded. */
  undecodedFrames(): number;
  /** Total size of the video packets, without audio; undefined if ffmpeg did not report it. */
  videoBytes(): number | undefined;
}

/** Each line begins with its level, repeated lines are not omitted, and the last lines count packets. */
export const FFMPEG_LOG_LEVEL = 'repeat+level+verbose';

const MAX_ERROR_CHARS = 2_000;
const MAX_LINE_CHARS = 4_000;

const LEVEL = /\[(?<level>panic|fatal|error|warning|info|verbose)\] (?<message>.*)/;
const DURATION = /^ *Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?),/;
const OUT_TIME = /^out_time_us=(\d+)/;
const VIDEO_INPUT =
  /^ *Input stream #0:(?<index>\d+) \(video\): (?<packets>\d+) packets read \((?<bytes>\d+) bytes\); (?<frames>\d+) frames decoded(?:; (?<errors>\d+) decode errors)?/;
/** Error lines of versions before 6.1, which do not count errors. */
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
      // A frame of two fields takes two packets: the difference alone would count too many.
      return Math.min(errors, Math.max(0, video.packets - video.frames));
    },
    videoBytes: () => video?.bytes,
  };
};
