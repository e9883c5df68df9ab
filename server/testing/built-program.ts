import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const REPOSITORY = join(import.meta.dirname, '../..');
export const PRODUCT_MODELS = join(REPOSITORY, 'models');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The built program in a folder of its own, because other tests may build it at the same time. */
export interface BuiltProgram {
  start(...args: string[]): Running;
  /** Starts the program with only these environment variables. */
  startIn(environment: NodeJS.ProcessEnv, ...args: string[]): Running;
  remove(): void;
}

/**
 * Builds the server in a folder of its own.
 *
 * @param name begins the folder's name
 * @param models folder of the models
 * @param input modules of tests that are built too, by name
 * @returns the folder, which contains `dist` and `models`
 */
export const buildServer = async (
  name: string,
  models: string,
  input: Readonly<Record<string, string>> = {},
): Promise<string> => {
  // Inside the repository, so that packages that are not bundled are found.
  const root = join(REPOSITORY, 'node_modules/.cache', `${name}-${process.pid}`);
  mkdirSync(root, { recursive: true });
  await build({
    configFile: join(REPOSITORY, 'server/vite.config.ts'),
    logLevel: 'error',
    build: { outDir: join(root, 'dist/server'), rolldownOptions: { input: { ...input } } },
  });
  symlinkSync(models, join(root, 'models'));
  return root;
};

/**
 * Builds the program.
 *
 * @param models folder of the models; by default those of the product
 * @param preload path of a module that its engine processes load first
 */
export const buildProgram = async (models = PRODUCT_MODELS, preload?: string): Promise<BuiltProgram> => {
  const root = await buildServer('veil-test', models);
  const engine = join(root, 'dist/server/engine/engine-main.js');
  if (preload) writeFileSync(engine, `import ${JSON.stringify(preload)};\n${readFileSync(engine, 'utf8')}`);
  const launcher = join(root, 'run.mjs');
  writeFileSync(
    launcher,
    `import { main } from './dist/server/main.js';\nawait main(process.argv.slice(2), ${JSON.stringify(root)});\n`,
  );
  const startIn: BuiltProgram['startIn'] = (env, ...args) => {
    const child = spawn(process.execPath, [launcher, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
    const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...said })));
    return { child, ended };
  };
  return {
    start: (...args) => startIn(process.env, ...args),
    startIn,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
