import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROBES } from '../http/serve-probes';
import type { BuiltProgram, Running } from './built-program';
import { temporaryFolder } from './temporary-folder';

const LOOK_AGAIN_MS = 10;

/** The built server as a separate process. */
export interface RunningServer extends Running {
  readonly origin: string;
  readonly inputFolder: string;
  readonly outputFolder: string;
}

const addressOf = async ({ child }: Running): Promise<string> => {
  for (let said = ''; ;) {
    const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
    said += chunk.toString();
    const [, address] = /ready at (\S+)\n/.exec(said) ?? [];
    if (address) return address;
  }
};

/** Repeats a request until its answer meets a condition. */
export const repeatUntil = async <T>(
  ask: () => Promise<T>,
  isWaitedFor: (answer: T) => boolean,
): Promise<T> => {
  for (;;) {
    const answer = await ask();
    if (isWaitedFor(answer)) return answer;
    await sleep(LOOK_AGAIN_MS);
  }
};

/** Starts a server in a folder. Resolves when its models are loaded. */
export const startServerIn = async (
  folder: string,
  program: BuiltProgram,
  ...flags: readonly string[]
): Promise<RunningServer> => {
  const [inputFolder, outputFolder] = [join(folder, 'in'), join(folder, 'out')];
  const folders = ['--input', inputFolder, '--output', outputFolder];
  const running = program.start('--port', '0', ...folders, ...flags);
  const origin = await addressOf(running);
  await repeatUntil(
    () => fetch(origin + PROBES.readiness),
    ({ ok }) => ok,
  );
  return { ...running, origin, inputFolder, outputFolder };
};

/** Starts a server in a folder that is deleted after the test. */
export const startServer = (program: BuiltProgram, ...flags: readonly string[]): Promise<RunningServer> =>
  startServerIn(temporaryFolder(), program, ...flags);
