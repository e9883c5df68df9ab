import { US_PER_SECOND } from '../../domain/plan';
import type { Size } from '../../domain/raster';
import type { ConversionFacts } from '../../ports/video';
import { createColourLog } from './frame-colours';

/** Facts about a conversion from ffmpeg's log at the level {@link FFMPEG_LOG_LEVEL}, while it runs and when it ends. */
export interface FfmpegLog {
  /** @param text output of ffmpeg's standard error, in pieces of any size */
  add(text: string): void;
  /** The last characters of the errors: only for the log, because ffmpeg quotes the file. */
  errorText(): string;
  /** Share of the file that is converted, 0..1; 0 if the file does not state its length. */
  share(): number;
  /** Whether the encoder has refused frames with an odd side. */
  hasOddSides(): boolean;
  /** Whether frames have stated other colours than the first one: the copy states the same for all. */
  changesColours(): boolean;
  /** Complete when ffmpeg has ended. */
  facts(): ConversionFacts;
}

/** Each line begins with its level, repeated lines are not omitted, and the last lines count packets. */
export const FFMPEG_LOG_LEVEL = 'repeat+level+verbose';

const MAX_ERROR_CHARS = 2_000;
const MAX_LINE_CHARS = 4_000;
/** More than any video has: the list ends up in its report. */
const MAX_TRACKS = 100;

const LEVEL = /\[(?<level>panic|fatal|error|warning|info|verbose)\] (?<message>.*)/;
const DURATION = /^ *Duration: (?<clock>\d+:\d\d:\d\d(?:\.\d+)?)(?:, start: (?<start>-?\d+(?:\.\d+)?))?,/;
/** The last of these lines is always written, also without a progress report. */
const STATISTICS = /^frame= .* time=(?<clock>\d+:\d\d:\d\d(?:\.\d+)?) /;
const OUT_TIME = /^out_time_us=(\d+)/;
const VIDEO_INPUT =
  /^ *Input stream #0:(?<index>\d+) \(video\): (?<packets>\d+) packets read \((?<bytes>\d+) bytes\); (?<frames>\d+) frames decoded(?:; (?<errors>\d+) decode errors)?/;
/** An audio track of an unknown codec in the list of tracks: `Stream #0:2[0x3](und): Audio: none (apac / 0x63617061), …`. */
const UNKNOWN_AUDIO = /^ *Stream #0:\d+\S*: Audio: none\b(?: \((?<tag>[^/]{1,40}) \/ 0x)?/;
const ODD_SIDE = /^(?:width|height) not divisible by 2 /;
/** A line of the filter that pads odd sides. */
const PADDING = /^w:(?<width>\d+) h:(?<height>\d+) -> w:\d+ h:\d+ /;
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

const unpaddedSizeIn = (message: string): Size | undefined => {
  const { width, height } = PADDING.exec(message)?.groups ?? {};
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
};

/** The codec's name in the container as printable ASCII; undefined: the line lists no such track. */
const unknownAudioIn = (message: string): string | undefined => {
  const found = UNKNOWN_AUDIO.exec(message)?.groups;
  return found && (found['tag']?.replace(/[^ -~]/g, '').trim() || 'unknown');
};

const secondsOf = (clock: string): number =>
  clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);

interface Duration {
  readonly wholeS: number;
  /** Without an empty start: ffmpeg converts from the first packet on. */
  readonly convertedS: number;
}

const durationIn = (message: string): Duration | undefined => {
  const { clock, start = '0' } = DURATION.exec(message)?.groups ?? {};
  if (clock === undefined) return undefined;
  const wholeS = secondsOf(clock);
  return { wholeS, convertedS: Math.max(0, wholeS - Math.max(0, Number(start))) };
};

export const createFfmpegLog = (): FfmpegLog => {
  let [rest, errorText] = ['', ''];
  let [isDamaged, hasOddSides] = [false, false];
  const colours = createColourLog();
  let duration: Duration | undefined;
  let doneS = 0;
  let size: Size | undefined;
  let video: VideoInput | undefined;
  const unreadableAudio: string[] = [];
  const errorsByStream = new Map<string, number>();

  const readFault = (isError: boolean, message: string): void => {
    if (isError) errorText = `${errorText}${message}\n`.slice(-MAX_ERROR_CHARS);
    hasOddSides ||= ODD_SIDE.test(message);
    isDamaged ||= isError || /corrupt/i.test(message);
    const stream = DECODE_ERROR.exec(message)?.[1];
    if (stream !== undefined) errorsByStream.set(stream, (errorsByStream.get(stream) ?? 0) + 1);
  };
  const readFact = (message: string): void => {
    colours.add(message);
    const unknown = unknownAudioIn(message);
    if (unknown && unreadableAudio.length < MAX_TRACKS) unreadableAudio.push(unknown);
    duration ??= durationIn(message);
    size = unpaddedSizeIn(message) ?? size;
    const clock = STATISTICS.exec(message)?.groups?.['clock'];
    if (clock !== undefined) doneS = Math.max(doneS, secondsOf(clock));
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
  const undecodedFrames = (): number => {
    if (!video) return 0;
    const errors = video.errors ?? errorsByStream.get(video.index) ?? 0;
    // A frame of two fields takes two packets: the difference alone would count too many.
    return Math.min(errors, Math.max(0, video.packets - video.frames));
  };
  return {
    add: (text) => {
      const lines = (rest + text).split(/[\r\n]+/);
      rest = (lines.pop() ?? '').slice(-MAX_LINE_CHARS);
      lines.forEach(readLine);
    },
    errorText: () => errorText.trim(),
    share: () => (duration?.wholeS ? Math.min(1, doneS / duration.wholeS) : 0),
    hasOddSides: () => hasOddSides,
    changesColours: colours.areChanged,
    facts: () => ({
      ...{ isDamaged, undecodedFrames: undecodedFrames(), size, unreadableAudio },
      ...{ videoBytes: video?.bytes, durationS: duration?.convertedS, endS: doneS },
    }),
  };
};
