import { spawn, execFile } from 'node:child_process';
import type { FfmpegVersion } from '#shared/engine/video/ffmpeg-arguments';
import { promisify } from 'node:util';

const ANSWER_LIMIT_MS = 20_000;
const MAX_ANSWER_BYTES = 1024 ** 2;
/** ` V....D libx264   libx264 H.264 / AVC` */
const CODER = /^ [A-Z.]{6} (?<name>\S+)/gm;

const ask = async (path: string, question: '-decoders' | '-encoders'): Promise<ReadonlySet<string>> => {
  const { stdout } = await promisify(execFile)(path, ['-hide_banner', question], {
    env: {},
    timeout: ANSWER_LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_ANSWER_BYTES,
  });
  return new Set([...stdout.matchAll(CODER)].map(({ groups }) => groups!['name'] as string));
};

/** Asks an ffmpeg program for its decoders and encoders, which differ between builds. */
export const probeCodecs = async (path: string): Promise<CoderSettings['can']> => {
  const [decoders, encoders] = await Promise.all([ask(path, '-decoders'), ask(path, '-encoders')]);
  return { decode: (name) => decoders.has(name), encode: (name) => encoders.has(name) };
};

/** The ffmpeg program that decodes and encodes, and its settings. */
export interface CoderSettings {
  /** Absolute path of the program. */
  readonly path: string;
  readonly version: FfmpegVersion;
  /** Threads of one decoder or encoder. */
  readonly threads: number;
  /** Whether ffmpeg has a coder, by ffmpeg's names. */
  readonly can: {
    readonly decode: (decoder: string) => boolean;
    readonly encode: (encoder: string) => boolean;
  };
  /** Running processes, which are killed when the video is closed or aborted. */
  readonly running: Set<{ kill(): void }>;
  /** Called if ffmpeg could not be started, which is not a defect of the video. */
  readonly onFault: (fault: Error) => void;
}

/** State of a decoder or encoder, as in WebCodecs. */
export type CoderState = 'unconfigured' | 'configured' | 'closed';

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
