import type { AudioRequest, VideoLimits } from '../../ports/video';
import { FFMPEG_LOG_LEVEL } from './ffmpeg-log';
import type { VideoFormat } from '../../domain/video-format';
import { UnreadableFile } from '../../domain/unreadable-file';

/** What ffmpeg calls the demuxer of each format. */
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

/** `copy-adts`: bit for bit, too; what broadcasts repeat before each packet of AAC goes into the file's index. */
export type AudioTreatment = 'copy-adts' | 'copy' | 'encode';

/** What to try, in order: MP4 cannot hold every coding, and other audio is encoded again. */
export const audioTreatments = (format: VideoFormat): readonly AudioTreatment[] =>
  format === 'mpegts' ? ['copy-adts', 'copy', 'encode'] : ['copy', 'encode'];

/** Where ffmpeg reads and writes. */
export interface FfmpegFiles {
  readonly format: VideoFormat;
  /** Absolute. */
  readonly inputPath: string;
  /** As ffmpeg takes it: `pipe:1`, a path. */
  readonly output: string;
  readonly limits: VideoLimits;
}

export interface Conversion extends FfmpegFiles {
  readonly audio: AudioTreatment;
  /** Of ffmpeg; options were renamed. */
  readonly version: FfmpegVersion;
}

export type FfmpegVersion = readonly [major: number, minor: number];

const isSince = ([major, minor]: FfmpegVersion, since: FfmpegVersion): boolean =>
  major > since[0] || (major === since[0] && minor >= since[1]);

/**
 * One file of one format: its content cannot refer ffmpeg to another file or address.
 *
 * The demuxer is named, so that playlists and sequences are not looked for; it alone may be used for what is inside of
 * the file (subtitles in AVI were once read as playlists), and no protocol but for local files.
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

/** No frame is left out or repeated. */
export const passthroughArguments = (version: FfmpegVersion): string[] =>
  isSince(version, [5, 1]) ? ['-fps_mode', 'passthrough'] : ['-vsync', 'passthrough'];

/** Each frame at the time it has in the source. */
const timeArguments = ({ version }: Conversion): string[] => [
  ...passthroughArguments(version),
  ...['-enc_time_base', isSince(version, [7, 0]) ? 'demux' : '-1'],
];

/** Looks the same and is made fast; without reordering, as edit lists would be needed. An odd side gets one more pixel. */
const VIDEO_ARGUMENTS: readonly string[] = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '15', '-pix_fmt', 'yuv420p', '-bf', '0', '-g', '48'],
  ...['-vf', 'pad=ceil(iw/2)*2:ceil(ih/2)*2'],
];

/** In fragments, which need no coming back: the whole may go through a pipe. */
const MP4_ARGUMENTS: readonly string[] = [
  ...['-max_muxing_queue_size', '4096'],
  ...['-movflags', '+frag_keyframe+delay_moov+default_base_moof', '-f', 'mp4'],
];

const AUDIO_ARGUMENTS = {
  'copy-adts': ['-c:a', 'copy', '-bsf:a', 'aac_adtstoasc'],
  copy: ['-c:a', 'copy'],
  encode: ['-c:a', 'aac', '-b:a', '256k'],
} as const satisfies Record<AudioTreatment, readonly string[]>;

/**
 * What ffmpeg is called with to make an MP4 file of a video.
 *
 * The picture is turned upright by it. One frame more than may be is asked for: who reads the result then sees that
 * there are too many.
 */
export const ffmpegArguments = (conversion: Conversion): string[] => [
  ...GENERAL_ARGUMENTS,
  ...inputArguments(conversion),
  ...['-map', '0:V:0', '-map', '0:a?', ...ONLY_MEDIA],
  ...['-frames:v', String(conversion.limits.maxVideoFrames + 1)],
  ...VIDEO_ARGUMENTS,
  ...timeArguments(conversion),
  ...AUDIO_ARGUMENTS[conversion.audio],
  ...MP4_ARGUMENTS,
  conversion.output,
];

/** Pieces that hold audio alone have no key frame to begin at: after so long the next one does. */
const AUDIO_PIECE_MICROSECONDS = 10_000_000;

/** What ffmpeg is called with to make an MP4 file of some of a video's audio tracks, without its pictures. */
export const ffmpegAudioArguments = (
  passage: FfmpegFiles,
  { tracks, keepsTimes }: Pick<AudioRequest, 'tracks' | 'keepsTimes'>,
): string[] => [
  ...GENERAL_ARGUMENTS,
  ...(keepsTimes ? ['-copyts'] : []),
  ...inputArguments(passage),
  ...tracks.flatMap((track) => ['-map', `0:a:${track}`]),
  ...['-vn', ...ONLY_MEDIA, ...AUDIO_ARGUMENTS.encode],
  ...['-frag_duration', String(AUDIO_PIECE_MICROSECONDS), ...MP4_ARGUMENTS],
  passage.output,
];

/** The error for a video that cannot be converted. */
export const cannotConvert = (): UnreadableFile =>
  new UnreadableFile('The video is damaged, or of a coding that ffmpeg cannot read either.');
