import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A program and its first arguments, before those of the command that it runs. */
export type Prefix = readonly string[];

const NONE: Prefix = [];
/** The first is for root, the second for other users, whom a namespace of users makes root in it. */
const CANDIDATES: readonly Prefix[] = [
  ['unshare', '--net', '--'],
  ['unshare', '--map-root-user', '--net', '--'],
];
const ANSWER_LIMIT_MS = 5_000;

const works = ([program = '', ...args]: Prefix): Promise<boolean> =>
  promisify(execFile)(program, [...args, 'true'], { timeout: ANSWER_LIMIT_MS, killSignal: 'SIGKILL' }).then(
    () => true,
    () => false,
  );

/**
 * Finds a command that runs a program without a network: in a network namespace of its own, on Linux where the system
 * permits it.
 *
 * @returns an empty prefix where there is none
 */
export const findNetworkIsolation = async (
  platform: NodeJS.Platform = process.platform,
  candidates = CANDIDATES,
): Promise<Prefix> => {
  if (platform !== 'linux') return NONE;
  for (const candidate of candidates) if (await works(candidate)) return candidate;
  return NONE;
};
