import { spawn, type ChildProcess } from 'node:child_process';
import { engineEnvironment } from './engine-environment';
import type { Prefix } from './isolation';

/**
 * Starts the program of an engine process.
 *
 * It leads a process group of its own, so that it ends together with the programs that it starts, and gets no signal of
 * the terminal: the host decides when it ends.
 *
 * @param entry path of its module
 * @param isolation see `findNetworkIsolation`
 */
export const spawnEngine = (entry: string, isolation: Prefix): ChildProcess => {
  const [program = process.execPath, ...args] = [...isolation, process.execPath, entry];
  return spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced', // typed arrays
    detached: process.platform !== 'win32',
    env: engineEnvironment(process.env, process.execArgv),
    shell: false,
    windowsHide: true,
  });
};
