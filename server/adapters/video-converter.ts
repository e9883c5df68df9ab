import { open, rm, type FileHandle } from 'node:fs/promises';
import {
  audioTreatments,
  cannotConvert,
  ffmpegArguments,
  type AudioTreatment,
} from '#shared/pipeline/ffmpeg-arguments';
import { createFfmpegLog, type FfmpegLog } from '#shared/pipeline/ffmpeg-log';
import { UnreadableFile } from '#shared/pipeline/unreadable-file';
import type { Log } from '#shared/ports/log';
import type { ConvertedVideo, VideoConverter } from '#shared/ports/video';
import { diskFileOf } from './disk-file';
import type { Ffmpeg } from './find-ffmpeg';
import { readExactly } from './read-exactly';
import { runFfmpeg, type Ended, type RunLimits } from './run-ffmpeg';

const OWNER_ONLY_FILE = 0o600;
const MAX_IDLE_MS = 5 * 60_000;

/** Twice a second, on its standard error. */
const PROGRESS_ARGUMENTS = ['-progress', 'pipe:2'] as const;

const NO_ROOM = 'There is too little room on the disk for the video to be converted.';
/** Told here: the codes of errors do not come out of a thread. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));

/** @returns what was written, and what ffmpeg said of it */
type Convert = (file: FileHandle, audio: AudioTreatment) => Promise<Ended & { readonly said: FfmpegLog }>;

const convertInto = async (
  path: string,
  treatments: readonly AudioTreatment[],
  convert: Convert,
): Promise<ConvertedVideo> => {
  const file = await open(path, 'w+', OWNER_ONLY_FILE);
  const discard = async (): Promise<void> => {
    await file.close();
    await rm(path, { force: true });
  };
  try {
    for (const audio of treatments) {
      await file.truncate();
      const { isDone, sizeBytes, said } = await convert(file, audio);
      if (!isDone) continue;
      return {
        source: { sizeBytes, read: (start, end) => readExactly(file, start, end) },
        isAudioReencoded: audio === 'encode',
        videoBytes: said.videoBytes(),
        isDamaged: said.isDamaged(),
        undecodedFrames: said.undecodedFrames(),
        discard,
      };
    }
    throw cannotConvert();
  } catch (error) {
    await discard();
    throw isFull(error) ? new UnreadableFile(NO_ROOM) : error;
  }
};

/** Converts videos by an ffmpeg of the machine's: only what it read, never what it said, gets out of here. */
export const createVideoConverter = ({ path, version }: Ffmpeg, log: Log): VideoConverter => ({
  convert: (source, format, limits, signal, onProgress) => {
    const { path: inputPath, convertedPath } = diskFileOf(source.handle);
    const bounds: RunLimits = { maxBytes: limits.maxConvertedBytes, maxIdleMs: MAX_IDLE_MS };
    const convert: Convert = async (file, audio) => {
      const args = ffmpegArguments({ format, inputPath, output: 'pipe:1', audio, limits, version });
      const said = createFfmpegLog();
      const onSaid = (text: string): void => {
        said.add(text);
        onProgress(said.share());
      };
      const ended = await runFfmpeg(path, [...PROGRESS_ARGUMENTS, ...args], file, bounds, onSaid, signal);
      const text = said.said().replaceAll(inputPath, 'the file');
      if (!ended.isDone) log.info('ffmpeg could not convert a video.', { audio, said: text });
      return { ...ended, said };
    };
    return convertInto(convertedPath, audioTreatments(format), convert);
  },
});
