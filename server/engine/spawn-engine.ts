import { spawn, type ChildProcess } from 'node:child_process';
import { engineEnvironment } from './engine-environment';
import type { Prefix } from './isolation';

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
  const [program, ...args] = [...isolation, process.execPath, entry, role];
  return spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced', // typed arrays
    detached: process.platform !== 'win32',
    env: engineEnvironment(process.env, process.execArgv),
    shell: false,
    windowsHide: true,
  });
};
