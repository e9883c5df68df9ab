import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CoderSettings } from './settings';

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
export const askCoders = async (path: string): Promise<CoderSettings['can']> => {
  const [decoders, encoders] = await Promise.all([ask(path, '-decoders'), ask(path, '-encoders')]);
  return { decode: (name) => decoders.has(name), encode: (name) => encoders.has(name) };
};
