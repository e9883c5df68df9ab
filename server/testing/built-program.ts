import { spawn, type ChildProcess } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { CACHE, madeOnce } from './made-once';

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

/** The built program in a folder of its own, with models of its own. */
export interface BuiltProgram {
  /** Path of the module that starts it. */
  readonly launcher: string;
  start(...args: string[]): Running;
  /** Starts the program with only these environment variables. */
  startIn(environment: NodeJS.ProcessEnv, ...args: string[]): Running;
  remove(): void;
}

/** Programs of tests that share modules with the server: see the files. */
const TEST_PROGRAMS = {
  'stub-engine': join(import.meta.dirname, 'stub-engine.ts'),
  'role-process': join(import.meta.dirname, 'cluster/role-process.ts'),
  'fake-engine': join(import.meta.dirname, 'cluster/fake-engine.ts'),
};

/** What is built: the server as it is published, or with programs of tests, which divides it into other files. */
const BUILDS = { product: {}, 'with-programs': TEST_PROGRAMS } as const;

const buildInto = async (outDir: string, input: Readonly<Record<string, string>>): Promise<void> => {
  await build({
    configFile: join(REPOSITORY, 'server/vite.config.ts'),
    logLevel: 'error',
    build: { outDir, rolldownOptions: { input: { ...input } } },
  });
};

/**
 * Builds the server, once for all test files of a run.
 *
 * @param name begins the folder's name
 * @param models folder of the models
 * @returns a new folder with `dist` and `models`. What is in `dist` belongs to other tests, too
 */
export const buildServer = async (
  name: string,
  models: string,
  kind: keyof typeof BUILDS,
): Promise<string> => {
  mkdirSync(CACHE, { recursive: true });
  const root = mkdtempSync(join(CACHE, `${name}-`));
  mkdirSync(join(root, 'dist'));
  const built = await madeOnce(`${kind}/dist/server`, (folder) => buildInto(folder, BUILDS[kind]));
  const server = join(root, 'dist/server');
  if (built === undefined) await buildInto(server, BUILDS[kind]);
  else symlinkSync(built, server);
  symlinkSync(models, join(root, 'models'));
  return root;
};

/** Lets engine processes of a built server load a module first. */
const preloadInEngine = (root: string, preload: string): void => {
  const server = join(root, 'dist/server');
  const built = realpathSync(server);
  unlinkSync(server);
  mkdirSync(join(server, 'engine'), { recursive: true });
  for (const name of readdirSync(built)) {
    if (name !== 'engine') symlinkSync(join(built, name), join(server, name));
  }
  const modules = [preload, join(built, 'engine/engine-main.js')];
  writeFileSync(
    join(server, 'engine/engine-main.js'),
    modules.map((path) => `import ${JSON.stringify(path)};\n`).join(''),
  );
};

/**
 * Builds the program.
 *
 * @param models folder of the models; by default those of the product
 * @param preload path of a module that its engine processes load first
 */
export const buildProgram = async (models = PRODUCT_MODELS, preload?: string): Promise<BuiltProgram> => {
  const root = await buildServer('veil-test', models, 'product');
  if (preload) preloadInEngine(root, preload);
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
    launcher,
    start: (...args) => startIn(process.env, ...args),
    startIn,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
