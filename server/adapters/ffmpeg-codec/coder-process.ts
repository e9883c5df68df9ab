import { spawn } from 'node:child_process';
import type { CoderSettings } from './settings';

export interface CoderListener {
  /** Receives the program's standard output. */
  onOutput(piece: Buffer): void;
  /** Receives the program's standard error. */
  onErrorText?(text: string): void;
}

/** How the program ended. `fault` is set if it could not be started. */
export interface CoderEnd {
  readonly isDone: boolean;
  readonly fault?: Error;
}

/** An ffmpeg process that decodes or encodes from its standard input to its standard output. */
export interface CoderProcess {
  /** Resolves when the pipe has taken the bytes, which is later while the program is busy, or when it has ended. */
  write(...pieces: readonly Uint8Array[]): Promise<void>;
  /** Ends the input, so that the program writes the rest of its output and ends. */
  end(): Promise<CoderEnd>;
  kill(): void;
  readonly ended: Promise<CoderEnd>;
}

/**
 * Starts ffmpeg without a shell, without environment variables and with pipes as its only files.
 *
 * It ends by itself when this process ends, because its input ends.
 */
export const startCoder = (
  { path, running }: CoderSettings,
  args: readonly string[],
  { onOutput, onErrorText }: CoderListener,
): CoderProcess => {
  const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: '/', shell: false });
  const { stdin, stdout, stderr } = child;
  stdin.on('error', () => undefined); // the program has ended: see `ended`
  stdout.on('data', onOutput);
  stderr.setEncoding('utf8').on('data', (text: string) => onErrorText?.(text));
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
