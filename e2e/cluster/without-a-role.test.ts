import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../../server/testing/built-program';

/** Prints the address of each module that is loaded. `_rawDebug` works in the thread of the hooks, too. */
const HOOKS = `export const load = (url, context, next) => { process._rawDebug('module ' + url); return next(url, context); };`;
const asUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
const REGISTER = asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(HOOKS))});`);
/** Clients of services, and the chunks of the bucket's client and of the roles. */
const OF_CLUSTERS = /node_modules\/(?:pg|pg-pool|bullmq|ioredis)\/|\/s3-sdk-|\/serve-roles-|\/run-role-/;

const FOLDER = mkdtempSync(join(tmpdir(), 'veil-role-'));

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => {
  program.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

/** Modules that a command loads until it prints a text, or ends. */
const modulesOf = async (text: string, ...args: readonly string[]): Promise<readonly string[]> => {
  const env = { ...process.env, NODE_OPTIONS: `--import ${REGISTER}` };
  const { child, ended } = program.startIn(env, ...args);
  child.stdout!.on('data', (chunk) => {
    if (String(chunk).includes(text)) child.kill('SIGKILL');
  });
  const { stderr } = await ended;
  return [...stderr.matchAll(/^module (\S+)$/gm)].map(([, url = '']) => url);
};

it('a server without a role loads no client of a database, queue or bucket, and no code of roles', async () => {
  const folders = ['--input', join(FOLDER, 'in'), '--output', join(FOLDER, 'out')];
  const modules = await modulesOf('is ready', '--port', '0', ...folders);
  expect(modules.some((url) => url.includes('/dist/server/main.js'))).toBe(true);
  expect(modules.filter((url) => OF_CLUSTERS.test(url))).toEqual([]);
});

it('a role loads them', async () => {
  const services = ['--database', 'postgres://127.0.0.1:1/none', '--queue', 'redis://127.0.0.1:1'];
  const modules = await modulesOf('is ready', 'api', ...services, '--files', join(FOLDER, 'files'));
  expect(modules.filter((url) => OF_CLUSTERS.test(url)).length).toBeGreaterThan(2);
});
