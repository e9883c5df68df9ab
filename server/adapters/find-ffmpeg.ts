import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { FfmpegVersion } from '#shared/engine/video/ffmpeg-arguments';
import { StartProblem } from '../cli/start-problem';

/** An ffmpeg program that reported its version. */
export interface Ffmpeg {
  /** Absolute path of the program. */
  readonly path: string;
  readonly version: FfmpegVersion;
}

/** A path, `off`, or undefined for the program on the PATH, if there is one. */
export type FfmpegChoice = string | undefined;

const ANSWER_LIMIT_MS = 20_000;
/** Version of builds without a number, such as `N-109468-gd39b34123d`: they are made from the newest source. */
const UNNUMBERED: FfmpegVersion = [7, 0];

/** On Windows a program's name needs its extension. */
const fileNameOf = (platform: NodeJS.Platform): string => (platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg');

const onPath = async (folders: readonly string[], fileName: string): Promise<string | undefined> => {
  // The meaning of a relative folder depends on the folder in which the server is started.
  for (const folder of folders.filter(isAbsolute)) {
    const path = join(folder, fileName);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
};

const askVersion = async (path: string): Promise<FfmpegVersion> => {
  const { stdout } = await promisify(execFile)(path, ['-hide_banner', '-version'], {
    env: {},
    timeout: ANSWER_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  if (!stdout.startsWith('ffmpeg version ')) throw new Error('It is another program.');
  const [, major, minor] = /^ffmpeg version n?(\d+)\.(\d+)/.exec(stdout) ?? [];
  return major === undefined ? UNNUMBERED : [Number(major), Number(minor)];
};

/**
 * Finds the ffmpeg program that converts other video formats.
 *
 * @returns undefined where there is none, or with `off`
 * @throws StartProblem where the named program does not work
 */
export const findFfmpeg = async (
  choice: FfmpegChoice,
  { PATH = '' }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<Ffmpeg | undefined> => {
  if (choice === 'off') return undefined;
  const path =
    choice === undefined ? await onPath(PATH.split(delimiter), fileNameOf(platform)) : resolve(choice);
  if (path === undefined) return undefined;
  try {
    return { path, version: await askVersion(path) };
  } catch (error) {
    if (choice === undefined) return undefined;
    throw new StartProblem(`--ffmpeg ${choice} is not an ffmpeg program that can be run.`, { cause: error });
  }
};
