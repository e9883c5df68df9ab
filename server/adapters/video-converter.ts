import { open, rm, type FileHandle } from 'node:fs/promises';
import {
  audioTreatments,
  cannotConvert,
  ffmpegArguments,
  type AudioTreatment,
} from '#shared/pipeline/ffmpeg-arguments';
import { UnreadableFile } from '#shared/pipeline/unreadable-file';
import type { Log } from '#shared/ports/log';
import type { ByteSource, ConvertedVideo, VideoConverter } from '#shared/ports/video';
import { diskFileOf } from './disk-file';
import type { Ffmpeg } from './find-ffmpeg';
import { readExactly } from './read-exactly';
import { runFfmpeg, type Ended, type RunLimits } from './run-ffmpeg';

const OWNER_ONLY_FILE = 0o600;
const MAX_IDLE_MS = 5 * 60_000;

const NO_ROOM = 'There is too little room on the disk for the video to be converted.';
/** Told here: the codes of errors do not come out of a thread. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));

/** @returns what was written, or what ffmpeg said instead */
type Convert = (file: FileHandle, audio: AudioTreatment) => Promise<Ended>;

const convertInto = async (
  path: string,
  treatments: readonly AudioTreatment[],
  convert: Convert,
  log: Log,
): Promise<ConvertedVideo> => {
  const file = await open(path, 'w+', OWNER_ONLY_FILE);
  const discard = async (): Promise<void> => {
    await file.close();
    await rm(path, { force: true });
  };
  try {
    let said = '';
    for (const audio of treatments) {
      await file.truncate();
      const ended = await convert(file, audio);
      const { sizeBytes } = ended;
      if (ended.isDone) {
        const read: ByteSource['read'] = (start, end) => readExactly(file, start, end);
        return { source: { sizeBytes, read }, isAudioReencoded: audio === 'encode', discard };
      }
      said = ended.said;
    }
    log.info('ffmpeg could not convert a video.', { said });
    throw cannotConvert();
  } catch (error) {
    await discard();
    throw isFull(error) ? new UnreadableFile(NO_ROOM) : error;
  }
};

/** Converts videos by an ffmpeg of the machine's: only what it read, never what it said, gets out of here. */
export const createVideoConverter = ({ path, version }: Ffmpeg, log: Log): VideoConverter => ({
  convert: (source, format, limits, signal) => {
    const { path: inputPath, convertedPath } = diskFileOf(source.handle);
    const bounds: RunLimits = { maxBytes: limits.maxConvertedBytes, maxIdleMs: MAX_IDLE_MS };
    const convert: Convert = async (file, audio) => {
      const args = ffmpegArguments({ format, inputPath, output: 'pipe:1', audio, limits, version });
      const ended = await runFfmpeg(path, args, file, bounds, signal);
      return { ...ended, said: ended.said.replaceAll(inputPath, 'the file') };
    };
    return convertInto(convertedPath, audioTreatments(format), convert, log);
  },
});
