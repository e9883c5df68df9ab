import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { UnreadableFile } from '#shared/domain/unreadable-file';
import { writeAt } from './write-at';

/** How ffmpeg ended. */
export interface Ended {
  readonly isDone: boolean;
  /** Written to the file. */
  readonly sizeBytes: number;
}

export interface RunLimits {
  readonly maxBytes: number;
  /** Without a byte for so long it is given up. */
  readonly maxIdleMs: number;
}

const tooLarge = (): UnreadableFile =>
  new UnreadableFile('The video is too long to convert: its temporary copy would exceed the size limit.');

/** Writes what comes out of the program, piece by piece. */
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
 * Runs ffmpeg and puts what it writes to its standard output into a file, what it says to a listener.
 *
 * No shell, no input, none of the environment. It is killed when the signal says so, and ends by itself where this
 * program does, as nobody takes what it writes.
 *
 * @throws UnreadableFile where more comes than may
 */
export const runFfmpeg = async (
  path: string,
  args: readonly string[],
  file: FileHandle,
  limits: RunLimits,
  onSaid: (text: string) => void,
  signal: AbortSignal,
): Promise<Ended> => {
  signal.throwIfAborted();
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env: {}, cwd: '/', shell: false });
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  child.stderr.setEncoding('utf8').on('data', onSaid);
  try {
    const sizeBytes = await collect(child, file, limits);
    const [code] = await closed;
    signal.throwIfAborted();
    return { isDone: code === 0 && sizeBytes > 0, sizeBytes };
  } catch (error) {
    kill();
    await closed.catch(() => undefined); // it could not be started: that is the error which is thrown
    throw error;
  } finally {
    signal.removeEventListener('abort', kill);
  }
};
