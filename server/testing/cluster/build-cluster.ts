import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildServer } from '../built-program';
import { FAKE_WORK_MS } from './fake-images';

/** The built server for tests with several processes. */
export interface ClusterProgram {
  /** Folder of the product. */
  readonly root: string;
  /** The same with the fake engine instead of models. @param workMs how long it takes for a file */
  fakeRoot(workMs: number): string;
  /** Program that runs a role: see `role-process.ts`. */
  readonly roleProcess: string;
  /** Program that runs the product. Arguments: the folder, then those of the product. */
  readonly product: string;
  remove(): void;
}

const ENGINE_MODULE = 'dist/server/workers/engine-worker.js';
const PROCESS_MODULE = 'dist/server/engine/engine-main.js';

const PRODUCT = `import { main } from './dist/server/main.js';
const [root, ...args] = process.argv.slice(2);
await main(args, root);
`;

/** Writes a module that refers to a module of the built program. */
const writeModule = (path: string, target: string, text: (target: string) => string): void => {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text(relative(folder, target)));
};

/**
 * A folder in which only the engine's module differs from that of the product. It sets the time of the fake work: the
 * engine process gets no variables of the environment.
 */
const createFakeRoot = (root: string, models: string, workMs: number): string => {
  const fakeRoot = join(root, `fake-${workMs}`);
  if (existsSync(fakeRoot)) return fakeRoot;
  const engine = join(fakeRoot, ENGINE_MODULE);
  writeModule(join(engine, '../work-time.js'), root, () => `globalThis.${FAKE_WORK_MS} = ${workMs};\n`);
  writeModule(
    engine,
    join(root, 'dist/server/fake-engine.js'),
    (fake) => `import './work-time.js';\nexport { default } from '${fake}';\n`,
  );
  writeModule(
    join(fakeRoot, PROCESS_MODULE),
    join(root, PROCESS_MODULE),
    (original) => `import '${original}';\n`,
  );
  symlinkSync(models, join(fakeRoot, 'models'));
  return fakeRoot;
};

/** Builds the server with the programs of tests. @param models folder of the models */
export const buildCluster = async (models: string): Promise<ClusterProgram> => {
  const root = await buildServer('veil-cluster', models, 'with-programs');
  const product = join(root, 'run.mjs');
  writeFileSync(product, PRODUCT);
  return {
    root,
    fakeRoot: (workMs) => createFakeRoot(root, models, workMs),
    roleProcess: join(root, 'dist/server/role-process.js'),
    product,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
