import { constants, open, rm, type FileHandle } from 'node:fs/promises';
import {
  type Attempt,
  type AttemptOutcome,
  convertByAttempts,
  cannotConvert,
  ffmpegArguments,
  ffmpegAudioArguments,
} from '#shared/engine/video/ffmpeg-arguments';
import { createFfmpegLog, type FfmpegLog } from '#shared/engine/video/ffmpeg-log';
import { changedColours, UnreadableFile } from '#shared/domain/failure';
import type { VideoFormat } from '#shared/catalogue/formats';
import type { Log } from '#shared/ports/system';
import type { ByteSource, ConvertedAudio, ConvertedVideo, VideoConverter } from '#shared/ports/video';
import { diskFileOf, readExactly, writeAt } from './disk-file';
import type { Ffmpeg } from './find-ffmpeg';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How ffmpeg ended. */
interface Ended {
  readonly isDone: boolean;
  /** Bytes written to the file. */
  readonly sizeBytes: number;
}

/** One run of ffmpeg. */
interface FfmpegRun {
  readonly path: string;
  readonly args: readonly string[];
  /** Takes what the program writes to its standard output. */
  readonly file: FileHandle;
  readonly maxBytes: number;
  readonly onErrorText: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The program is killed after this time without output. */
const MAX_IDLE_MS = 5 * 60_000;

const tooLarge = (): UnreadableFile =>
  new UnreadableFile('The video is too long to convert: its temporary copy would exceed the size limit.');

/** Writes the program's output to the file in pieces. @returns its size in bytes */
const collect = async (child: ChildProcess, { file, maxBytes }: FfmpegRun): Promise<number> => {
  let sizeBytes = 0;
  const kill = (): void => void child.kill('SIGKILL');
  const idle = setTimeout(kill, MAX_IDLE_MS);
  try {
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      if (sizeBytes + piece.byteLength > maxBytes) throw tooLarge();
      await writeAt(file, sizeBytes, piece);
      sizeBytes += piece.byteLength;
      idle.refresh();
    }
    return sizeBytes;
  } finally {
    clearTimeout(idle);
  }
};

/**
 * Runs ffmpeg, writes its standard output to a file and passes its standard error to a listener.
 *
 * ffmpeg gets no shell, no input and no environment variables. It is killed when the signal is aborted, and ends by
 * itself when this process ends, because nothing reads its output.
 *
 * @throws UnreadableFile where the output exceeds the limit
 */
const runFfmpeg = async (run: FfmpegRun): Promise<Ended> => {
  const { path, args, onErrorText, signal } = run;
  signal.throwIfAborted();
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env: {}, cwd: '/', shell: false });
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  child.stderr.setEncoding('utf8').on('data', onErrorText);
  try {
    const sizeBytes = await collect(child, run);
    const [code] = await closed;
    signal.throwIfAborted();
    return { isDone: code === 0 && sizeBytes > 0, sizeBytes };
  } catch (error) {
    kill();
    await closed.catch(() => undefined); // rejects with the same error if the program could not be started
    throw error;
  } finally {
    signal.removeEventListener('abort', kill);
  }
};

const OWNER_ONLY_FILE = 0o600;
/** Never an existing file, and never where a link leads. Windows has no `O_NOFOLLOW`. */
const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

const OUTPUT = 'pipe:1';
/** ffmpeg reports its progress twice a second on its standard error. */
const PROGRESS_ARGUMENTS = ['-progress', 'pipe:2'] as const;

const NO_ROOM = 'There is not enough disk space to convert the video.';
/** Full disks are reported as a sentence, because error codes are lost between threads. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));

/** Runs ffmpeg once. @returns the outcome, ffmpeg's messages, and a function that logs them after the last attempt */
type Run = (
  file: FileHandle,
) => Promise<Ended & { readonly said: FfmpegLog; readonly onGivenUp: () => void }>;

/** A temporary file. */
interface Copy {
  readonly file: FileHandle;
  readonly source: (sizeBytes: number) => ByteSource;
  readonly discard: () => Promise<void>;
}

/** Creates a temporary file, in place of one that a killed run left, and removes it if `make` fails or returns undefined. */
const makeCopy = async <T>(
  path: string,
  make: (copy: Copy) => Promise<T | undefined>,
): Promise<T | undefined> => {
  await rm(path, { force: true });
  const file = await open(path, NEW_FILE, OWNER_ONLY_FILE);
  const discard = async (): Promise<void> => {
    await file.close();
    await rm(path, { force: true });
  };
  const source = (sizeBytes: number): ByteSource => ({
    sizeBytes,
    read: (start, end) => readExactly(file, start, end),
  });
  try {
    const made = await make({ file, source, discard });
    if (made === undefined) await discard();
    return made;
  } catch (error) {
    await discard();
    throw isFull(error) ? new UnreadableFile(NO_ROOM) : error;
  }
};

const convertInto = (
  path: string,
  format: VideoFormat,
  convert: (file: FileHandle, attempt: Attempt) => ReturnType<Run>,
): Promise<ConvertedVideo | undefined> =>
  makeCopy(path, ({ file, source, discard }) => {
    let giveUp = (): void => undefined;
    const run = async (attempt: Attempt): Promise<AttemptOutcome<ConvertedVideo>> => {
      await file.truncate();
      const { isDone, sizeBytes, said, onGivenUp } = await convert(file, attempt);
      giveUp = onGivenUp;
      const isAudioReencoded = attempt.audio === 'encode';
      const converted = { source: source(sizeBytes), isAudioReencoded, ...said.facts(), discard };
      return { said, converted: isDone ? converted : undefined };
    };
    // Only the last failure is logged.
    return convertByAttempts(format, run, () => giveUp());
  });

const convertAudioInto = (path: string, run: Run): Promise<ConvertedAudio | undefined> =>
  makeCopy(path, async ({ file, source, discard }) => {
    const { isDone, sizeBytes, onGivenUp } = await run(file);
    if (isDone) return { source: source(sizeBytes), discard };
    onGivenUp();
    return undefined;
  });

/** A run of ffmpeg on an input file. */
interface Passage extends Omit<FfmpegRun, 'path' | 'onErrorText'> {
  readonly inputPath: string;
  readonly onProgress: (share: number) => void;
}

/** Converts videos with an installed ffmpeg. Its messages, which may contain private data, go only to the log. */
export const createVideoConverter = ({ path, version }: Ffmpeg, log: Log): VideoConverter => {
  const runInto = async ({ inputPath, onProgress, ...run }: Passage): ReturnType<Run> => {
    const said = createFfmpegLog();
    const stop = new AbortController();
    const signal = AbortSignal.any([run.signal, stop.signal]);
    const onErrorText = (text: string): void => {
      said.add(text);
      if (said.changesColours()) stop.abort(changedColours());
      onProgress(said.share());
    };
    const args = [...PROGRESS_ARGUMENTS, ...run.args];
    const ended = await runFfmpeg({ ...run, signal, path, args, onErrorText });
    const onGivenUp = (): void =>
      log.info('ffmpeg could not convert a video.', {
        said: said.errorText().replaceAll(inputPath, 'the file'),
      });
    return { ...ended, said, onGivenUp };
  };
  return {
    convert: async (source, request, signal, onProgress) => {
      const { path: inputPath, convertedPath } = diskFileOf(source.handle);
      const converted = await convertInto(convertedPath, request.format, (file, attempt) => {
        const args = ffmpegArguments({ ...request, inputPath, output: OUTPUT, version, ...attempt });
        return runInto({
          file,
          args,
          inputPath,
          maxBytes: request.limits.maxConvertedBytes,
          onProgress,
          signal,
        });
      });
      if (!converted) throw cannotConvert();
      return converted;
    },
    convertAudio: (source, { format, limits, ...request }, signal, onProgress) => {
      const { path: inputPath, convertedPath } = diskFileOf(source.handle);
      const args = ffmpegAudioArguments({ format, inputPath, output: OUTPUT, limits }, request);
      return convertAudioInto(`${convertedPath}.audio`, (file) =>
        runInto({ file, args, inputPath, maxBytes: limits.maxConvertedBytes, onProgress, signal }),
      );
    },
  };
};
