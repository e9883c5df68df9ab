import { FFmpeg } from '@ffmpeg/ffmpeg';
import coreUrl from '@ffmpeg/core?url';
import wasmUrl from '@ffmpeg/core/wasm?url';
import {
  type FfmpegVersion,
  type Attempt,
  type AttemptOutcome,
  ffmpegArguments,
  ffmpegAudioArguments,
  convertByAttempts,
} from '#shared/engine/video/ffmpeg-arguments';
import { createFfmpegLog, type FfmpegLog } from '#shared/engine/video/ffmpeg-log';
import { changedColours, UnreadableFile } from '#shared/domain/failure';
import type { Log } from '#shared/ports/system';
import type { ByteSource, ConvertedVideo, VideoConverter } from '#shared/ports/video';

/** Version of ffmpeg in `@ffmpeg/core`. */
const VERSION: FfmpegVersion = [5, 1];
const FOLDER = '/in';
const NAME = 'source';
const OUTPUT = '/out.mp4';
const PATHS = { inputPath: `${FOLDER}/${NAME}`, output: OUTPUT } as const;
/** Limit of the converted copy in bytes. It is held in memory, and copied once when it is handed over. */
const MAX_OUTPUT_BYTES = 1024 ** 3;
/** How far below the limit ffmpeg may stop, because it checks the size once per packet. */
const CUT_MARGIN = 0.01;

const NOT_LOADED =
  'The converter for this video format could not be loaded. Open the page once with a network connection.';

const tooLarge = (): UnreadableFile =>
  new UnreadableFile(
    `The video is too long to be converted in the page: its copy would exceed ${MAX_OUTPUT_BYTES / 1024 ** 3} GiB. Convert it to MP4 (H.264) before, or use a server.`,
  );

const blobOf = ({ handle }: ByteSource): Blob => {
  if (handle instanceof Blob) return handle;
  throw new Error('The video to convert is not a browser file.');
};

const sourceOf = (copy: Blob): ByteSource => ({
  sizeBytes: copy.size,
  read: async (start, end) => new Uint8Array(await copy.slice(start, end).arrayBuffer()),
});

/** Starts ffmpeg in its own worker, which ends with the conversion and frees its memory. */
const start = async (file: Blob, said: FfmpegLog): Promise<FFmpeg> => {
  const ffmpeg = new FFmpeg();
  ffmpeg.on('log', ({ message }) => said.add(`${message}\n`));
  try {
    const [coreURL, wasmURL] = [coreUrl, wasmUrl].map((url) => new URL(url, self.location.href).href);
    await ffmpeg.load({ coreURL: coreURL!, wasmURL: wasmURL! });
  } catch {
    ffmpeg.terminate();
    throw new UnreadableFile(NOT_LOADED);
  }
  await ffmpeg.createDir(FOLDER);
  // Mounted by reference: ffmpeg reads the file in pieces.
  await ffmpeg.mount(
    'WORKERFS' as Parameters<FFmpeg['mount']>[0],
    { blobs: [{ name: NAME, data: file }] },
    FOLDER,
  );
  return ffmpeg;
};

interface Watch {
  readonly said: FfmpegLog;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

/** Runs ffmpeg once. @param args the last one is the output. @returns the output; undefined if it failed */
const runOnce = async (
  file: Blob,
  args: readonly string[],
  { said, signal: wanted, onProgress }: Watch,
): Promise<Blob | undefined> => {
  const ffmpeg = await start(file, said);
  const refusal = new AbortController();
  const signal = AbortSignal.any([wanted, refusal.signal]);
  const stop = (): void => ffmpeg.terminate();
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    ffmpeg.on('log', () => {
      if (said.changesColours()) refusal.abort(changedColours());
    });
    // The value is meaningless if the file does not state its duration.
    ffmpeg.on('progress', ({ progress }) => onProgress(Math.min(1, Math.max(0, progress || 0))));
    const code = await ffmpeg.exec([...args.slice(0, -1), '-fs', String(MAX_OUTPUT_BYTES), OUTPUT]);
    if (code !== 0) return undefined;
    const bytes = (await ffmpeg.readFile(OUTPUT)) as Uint8Array<ArrayBuffer>;
    // ffmpeg stops at the limit without an error.
    if (bytes.byteLength >= MAX_OUTPUT_BYTES * (1 - CUT_MARGIN)) throw tooLarge();
    return bytes.byteLength > 0 ? new Blob([bytes]) : undefined;
  } catch (error) {
    signal.throwIfAborted(); // an aborted run reports the abort, not its consequence
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
};

/**
 * Converts videos with ffmpeg.wasm, which is loaded with the first video that needs it (32 MB, from the page's own
 * host).
 *
 * It runs in its own worker, can access only this file, and ends after each conversion.
 */
export const createVideoConverter = (log: Log): VideoConverter => ({
  convert: async (source, request, signal, onProgress) => {
    const file = blobOf(source);
    const attempt = async ({ audio, padsSides }: Attempt): Promise<AttemptOutcome<ConvertedVideo>> => {
      const said = createFfmpegLog();
      const args = ffmpegArguments({ ...PATHS, ...request, audio, padsSides, version: VERSION });
      const copy = await runOnce(file, args, { said, signal, onProgress });
      const converted = copy && {
        source: sourceOf(copy),
        isAudioReencoded: audio === 'encode',
        ...said.facts(),
        discard: async () => undefined,
      };
      return { said, converted };
    };
    return convertByAttempts(request.format, attempt, (said) =>
      log.info('ffmpeg could not convert a video.', { said: said?.errorText() ?? '' }),
    );
  },
  convertAudio: async (source, { format, limits, ...request }, signal, onProgress) => {
    const said = createFfmpegLog();
    const args = ffmpegAudioArguments({ ...PATHS, format, limits }, request);
    const copy = await runOnce(blobOf(source), args, { said, signal, onProgress }).catch((error: unknown) => {
      if (error instanceof UnreadableFile) return undefined; // the video can be processed without this audio
      throw error;
    });
    if (copy) return { source: sourceOf(copy), discard: async () => undefined };
    log.info('ffmpeg could not convert audio.', { said: said.errorText() });
    return undefined;
  },
});
