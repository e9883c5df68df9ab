import type { AudioRequest, ConversionRequest, VideoLimits } from '../../ports/video';
import { FFMPEG_LOG_LEVEL, type FfmpegLog } from './ffmpeg-log';
import { FRAME_INFO_FILTER } from './frame-colours';
import type { VideoFormat } from '../../catalogue/formats';
import { UnreadableFile } from '../../domain/failure';

/** What differs between the attempts to convert a video. */
export type Attempt = Pick<Conversion, 'audio' | 'padsSides'>;

/** The outcome of one run of ffmpeg. */
export interface AttemptOutcome<T> {
  readonly said: FfmpegLog;
  /** Undefined if the run failed. */
  readonly converted: T | undefined;
}

/**
 * Runs ffmpeg until an attempt succeeds.
 *
 * Audio is copied if possible. Frames are padded only if the encoder refuses an odd side, which it does before the
 * first frame: padding converts the colours of all frames.
 *
 * @param onFailure called once, if no attempt succeeds
 * @throws UnreadableFile if no attempt succeeds
 */
export const convertByAttempts = async <T>(
  format: VideoFormat,
  run: (attempt: Attempt) => Promise<AttemptOutcome<T>>,
  onFailure: (said: FfmpegLog | undefined) => void,
): Promise<T> => {
  let padsSides = false;
  let last: AttemptOutcome<T> | undefined;
  for (const audio of audioTreatments(format)) {
    last = await run({ audio, padsSides });
    if (last.converted === undefined && !padsSides && last.said.hasOddSides()) {
      padsSides = true;
      last = await run({ audio, padsSides });
    }
    if (last.converted !== undefined) return last.converted;
  }
  onFailure(last?.said);
  throw cannotConvert();
};

/** ffmpeg's name for the demuxer of each format. */
const DEMUXERS = {
  mp4: 'mov',
  mov: 'mov',
  webm: 'matroska',
  matroska: 'matroska',
  avi: 'avi',
  asf: 'asf',
  mpegts: 'mpegts',
  mpegps: 'mpeg',
  mpegvideo: 'mpegvideo',
  flv: 'flv',
  ogg: 'ogg',
} as const satisfies Record<VideoFormat, string>;

/**
 * `copy-adts` also copies bit for bit: the header before each AAC packet of a broadcast moves into the file's index.
 */
export type AudioTreatment = 'copy-adts' | 'copy' | 'encode';

/** The treatments to try, in order: audio that MP4 cannot contain is encoded again. */
export const audioTreatments = (format: VideoFormat): readonly AudioTreatment[] =>
  format === 'mpegts' ? ['copy-adts', 'copy', 'encode'] : ['copy', 'encode'];

/** Input, output and limits of a run of ffmpeg. */
export interface FfmpegFiles {
  readonly format: VideoFormat;
  /** Absolute path. */
  readonly inputPath: string;
  /** A path or `pipe:1`. */
  readonly output: string;
  readonly limits: VideoLimits;
}

export interface Conversion extends FfmpegFiles, Pick<ConversionRequest, 'keepsTimes'> {
  readonly audio: AudioTreatment;
  /** Whether odd sides are padded by one pixel: the encoder refuses them. */
  readonly padsSides: boolean;
  /** Whether the copy has 10 bits instead of 8. */
  readonly isHdr: boolean;
  /** Version of ffmpeg: options have changed their names. */
  readonly version: FfmpegVersion;
}

export type FfmpegVersion = readonly [major: number, minor: number];

const isSince = ([major, minor]: FfmpegVersion, since: FfmpegVersion): boolean =>
  major > since[0] || (major === since[0] && minor >= since[1]);

/**
 * Arguments for one input file of one format, whose content cannot make ffmpeg open another file or address.
 *
 * The demuxer is fixed, so that the file is not recognised as a playlist or image sequence. Only this demuxer may be
 * used for embedded files too (subtitles in AVI were once read as playlists), and only the protocol for local files.
 */
const inputArguments = ({ format, inputPath, limits }: FfmpegFiles): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS[format]],
  ...(DEMUXERS[format] === 'mov' ? ['-enable_drefs', '0'] : []),
  ...['-max_pixels', String(limits.maxVideoPixels)],
  ...['-f', DEMUXERS[format], '-i', `file:${inputPath}`],
];

const GENERAL_ARGUMENTS = ['-nostdin', '-hide_banner', '-loglevel', FFMPEG_LOG_LEVEL, '-y'] as const;
/** No subtitles, data, metadata or chapters. */
const ONLY_MEDIA = ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'] as const;

/** Arguments that prevent dropped and repeated frames. */
export const passthroughArguments = (version: FfmpegVersion): string[] =>
  isSince(version, [5, 1]) ? ['-fps_mode', 'passthrough'] : ['-vsync', 'passthrough'];

/** Arguments that keep each frame's timestamp. */
const timeArguments = ({ version }: Conversion): string[] => [
  ...passthroughArguments(version),
  ...['-enc_time_base', isSince(version, [7, 0]) ? 'demux' : '-1'],
];

/** High dynamic range keeps 10 bits and more detail: small differences of its signals become large ones of light. */
const [STANDARD_CODING, HDR_CODING] = [
  ['-crf', '15', '-pix_fmt', 'yuv420p'],
  ['-crf', '5', '-pix_fmt', 'yuv420p10le'],
] as const;

/**
 * Fast encoding without visible loss. No reordering, which would need edit lists.
 */
const videoArguments = ({ isHdr }: Conversion): string[] => [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', ...(isHdr ? HDR_CODING : STANDARD_CODING)],
  ...['-bf', '0', '-g', '48'],
];

/** Pads odd sides. With subsampled colours the filter would also blacken the last column. */
const PADDING_FILTERS = 'format=yuv444p,pad=ceil(iw/2)*2:ceil(ih/2)*2';

const filterArguments = ({ padsSides }: Conversion): string[] => [
  '-vf',
  padsSides ? `${FRAME_INFO_FILTER},${PADDING_FILTERS}` : FRAME_INFO_FILTER,
];

/** Fragmented MP4, which is written without seeking, so that the output can be a pipe. */
const MP4_ARGUMENTS: readonly string[] = [
  ...['-max_muxing_queue_size', '4096'],
  ...['-movflags', '+frag_keyframe+delay_moov+default_base_moof', '-f', 'mp4'],
];

const AUDIO_ARGUMENTS = {
  'copy-adts': ['-c:a', 'copy', '-bsf:a', 'aac_adtstoasc'],
  copy: ['-c:a', 'copy'],
  encode: ['-c:a', 'aac', '-b:a', '256k'],
} as const satisfies Record<AudioTreatment, readonly string[]>;

const startArguments = ({ keepsTimes }: Pick<AudioRequest, 'keepsTimes'>): readonly string[] =>
  keepsTimes ? ['-copyts'] : [];

/** All audio tracks but those of unknown codecs, with which the whole conversion would fail. */
const USABLE_AUDIO = '0:a:u?';

/**
 * The arguments to convert a video to MP4.
 *
 * ffmpeg rotates frames upright. One frame above the limit is requested, so that the reader of the result notices when
 * there are too many.
 */
export const ffmpegArguments = (conversion: Conversion): string[] => [
  ...GENERAL_ARGUMENTS,
  ...startArguments(conversion),
  ...inputArguments(conversion),
  ...['-map', '0:V:0', '-map', USABLE_AUDIO, ...ONLY_MEDIA],
  ...['-frames:v', String(conversion.limits.maxVideoFrames + 1)],
  ...videoArguments(conversion),
  ...filterArguments(conversion),
  ...timeArguments(conversion),
  ...AUDIO_ARGUMENTS[conversion.audio],
  ...MP4_ARGUMENTS,
  conversion.output,
];

/** Length of a fragment of audio, in µs: without video no key frame starts a new fragment. */
const AUDIO_PIECE_MICROSECONDS = 10_000_000;

/** The arguments to convert some audio tracks of a video to an MP4 file without frames. */
export const ffmpegAudioArguments = (
  passage: FfmpegFiles,
  { tracks, keepsTimes }: Pick<AudioRequest, 'tracks' | 'keepsTimes'>,
): string[] => [
  ...GENERAL_ARGUMENTS,
  ...startArguments({ keepsTimes }),
  ...inputArguments(passage),
  ...tracks.flatMap((track) => ['-map', `0:a:${track}`]),
  ...['-vn', ...ONLY_MEDIA, ...AUDIO_ARGUMENTS.encode],
  ...['-frag_duration', String(AUDIO_PIECE_MICROSECONDS), ...MP4_ARGUMENTS],
  passage.output,
];

/** The error for a video that cannot be converted. */
export const cannotConvert = (): UnreadableFile =>
  new UnreadableFile('The video is damaged, or of a coding that ffmpeg cannot read either.');
