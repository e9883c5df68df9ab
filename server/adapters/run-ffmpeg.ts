import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { UnreadableFile } from '#shared/domain/failure';
import { writeAt } from './write-at';

/** How ffmpeg ended. */
export interface Ended {
  readonly isDone: boolean;
  /** Bytes written to the file. */
  readonly sizeBytes: number;
}

export interface RunLimits {
  readonly maxBytes: number;
  /** The program is killed after this time without output. */
  readonly maxIdleMs: number;
}

const tooLarge = (): UnreadableFile =>
  new UnreadableFile('The video is too long to convert: its temporary copy would exceed the size limit.');

/** Writes the program's output to the file in pieces. @returns its size in bytes */
const collect = async (
  child: ChildProcess,
  file: FileHandle,
  { maxBytes, maxIdleMs }: RunLimits,
): Promise<number> => {
  let sizeBytes = 0;
  const kill = (): void => void child.kill('SIGKILL');
  const idle = setTimeout(kill, maxIdleMs);
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
export const runFfmpeg = async (
  path: string,
  args: readonly string[],
  file: FileHandle,
  limits: RunLimits,
  onErrorText: (text: string) => void,
  signal: AbortSignal,
): Promise<Ended> => {
  signal.throwIfAborted();
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env: {}, cwd: '/', shell: false });
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  child.stderr.setEncoding('utf8').on('data', onErrorText);
  try {
    const sizeBytes = await collect(child, file, limits);
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
