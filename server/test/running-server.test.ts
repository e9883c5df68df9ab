import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { buildProgram, type BuiltProgram } from './built-program';
import { startServer, type RunningServer } from './running-server';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

const start = async (...flags: readonly string[]): Promise<RunningServer> => {
  const server = await startServer(program, '-a', 'face', '--workers', '1', ...flags);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
};

/** The fields of proc(5)'s `stat` behind the name: the nice value is the 19th of all. */
const nicenessOf = (pid: number, thread: string): number =>
  Number(
    readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[16],
  );

it.skipIf(process.platform !== 'linux')('models run behind what answers', async () => {
  const { child } = await start();
  const pid = child.pid!;
  const own = nicenessOf(pid, String(pid));
  const others = readdirSync(`/proc/${pid}/task`).map((thread) => nicenessOf(pid, thread));
  expect(others.filter((niceness) => niceness > own)).not.toEqual([]);
});
