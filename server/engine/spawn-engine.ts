import { spawn, type ChildProcess, execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Ends a process that leads its own group, with all programs that it has started.
 *
 * By SIGKILL: threads in native code heed nothing else.
 */
export const endProcessGroup = (pid: number): void => {
  try {
    // Windows has no process groups.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

/** A program and its first arguments, before those of the command that it runs. */
type Prefix = readonly string[];

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

/** Variables that programs need on Windows to start at all. */
const OF_WINDOWS = ['SystemRoot', 'TEMP', 'TMP'] as const;

/** Memory limits of Node among its options, and nothing else of them. */
const MEMORY_LIMIT = /--max[-_]old[-_]space[-_]size[= ]\d+/g;

/**
 * The environment of an engine process: the folder of temporary files, the path of programs, and the memory limit.
 *
 * Everything else may be a secret of the host: tokens, keys, addresses of databases.
 */
export const engineEnvironment = (
  host: NodeJS.ProcessEnv,
  nodeArguments: readonly string[],
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv => {
  const names = ['PATH', 'TMPDIR', ...(platform === 'win32' ? OF_WINDOWS : [])];
  const kept = names.flatMap((name) => (host[name] === undefined ? [] : [[name, host[name]] as const]));
  const limits = [host['NODE_OPTIONS'] ?? '', ...nodeArguments].join(' ').match(MEMORY_LIMIT);
  return { ...Object.fromEntries(kept), ...(limits && { NODE_OPTIONS: limits.join(' ') }) };
};

/**
 * Number of heaps of the C library: it makes eight for each core, and what threads take and free in turns (frames,
 * working memory of networks) leaves gaps in all of them. Blocks are large, so that threads rarely wait for each other.
 */
const HEAPS = { MALLOC_ARENA_MAX: '1' } as const;

/**
 * Settings of V8: collection of garbage on request (see `collectClosedFrames` and `collectLargeImages`), and otherwise
 * only from 256 MB of old objects on. By default, V8 searches them in every second frame of a video, in five threads,
 * although there are few.
 */
const V8_FLAGS = ['--expose-gc', '--initial-old-space-size=256'] as const;

/** What an engine process works on: an argument of its program, which lists of processes show. */
export type EngineRole = 'tasks' | 'requests';

/**
 * Starts the program of an engine process.
 *
 * It leads a process group of its own, so that it ends together with the programs that it starts, and gets no signal of
 * the terminal: the host decides when it ends.
 *
 * @param entry path of its module
 * @param isolation see `findNetworkIsolation`
 */
export const spawnEngine = (entry: string, role: EngineRole, isolation: Prefix): ChildProcess => {
  const [program, ...args] = [...isolation, process.execPath, ...V8_FLAGS, entry, role];
  return spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced', // typed arrays
    detached: process.platform !== 'win32',
    env: { ...HEAPS, ...engineEnvironment(process.env, process.execArgv) },
    shell: false,
    windowsHide: true,
  });
};
