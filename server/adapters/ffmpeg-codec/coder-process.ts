import { spawn } from 'node:child_process';
import type { CoderSettings } from './settings';

export interface CoderListener {
  /** What the program writes to its standard output; it is read as fast as it comes. */
  onOutput(piece: Buffer): void;
  /** What it says on its standard error. */
  onSaid?(text: string): void;
}

/** How it ended; `fault`: it could not be started. */
export interface CoderEnd {
  readonly isDone: boolean;
  readonly fault?: Error;
}

/** An ffmpeg that decodes or encodes from its standard input to its standard output. */
export interface CoderProcess {
  /** @returns when the system has taken the bytes, which is later where the program is busy; also where it has ended */
  write(...pieces: readonly Uint8Array[]): Promise<void>;
  /** No more is written: what the program still holds comes out. */
  end(): Promise<CoderEnd>;
  kill(): void;
  readonly ended: Promise<CoderEnd>;
}

/**
 * Starts ffmpeg without a shell, without the environment, and with nothing to open but its pipes.
 *
 * It ends by itself where this program does: its input is over then.
 */
export const startCoder = (
  { path, running }: CoderSettings,
  args: readonly string[],
  { onOutput, onSaid }: CoderListener,
): CoderProcess => {
  const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: '/', shell: false });
  const { stdin, stdout, stderr } = child;
  stdin.on('error', () => undefined); // it has ended: see `ended`
  stdout.on('data', onOutput);
  stderr.setEncoding('utf8').on('data', (text: string) => onSaid?.(text));
  const ended = new Promise<CoderEnd>((resolve) => {
    child.once('error', (error) => resolve({ isDone: false, fault: error }));
    child.once('close', (code) => resolve({ isDone: code === 0 }));
  });
  const write = (pieces: readonly Uint8Array[]): Promise<void> =>
    new Promise((resolve) => {
      stdin.cork();
      for (const [index, piece] of pieces.entries()) {
        stdin.write(piece, () => {
          if (index === pieces.length - 1) resolve();
        });
      }
      stdin.uncork();
    });
  const coder: CoderProcess = {
    write: (...pieces) => write(pieces),
    end: () => {
      stdin.end();
      return ended;
    },
    kill: () => void child.kill('SIGKILL'),
    ended,
  };
  running.add(coder);
  void ended.then(() => running.delete(coder));
  return coder;
};
