import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildServer } from '../built-program';

/** The built server for tests with several processes. */
export interface ClusterProgram {
  /** Folder of the product. */
  readonly root: string;
  /** The same with the fake engine instead of models. */
  readonly fakeRoot: string;
  /** Program that runs a role: see `role-process.ts`. */
  readonly roleProcess: string;
  /** Program that runs the product. Arguments: the folder, then those of the product. */
  readonly product: string;
  remove(): void;
}

const ENGINE_MODULE = 'dist/server/workers/engine-worker.js';

const PRODUCT = `import { main } from './dist/server/main.js';
const [root, ...args] = process.argv.slice(2);
await main(args, root);
`;

/** A folder in which only the engine's module differs from that of the product. */
const createFakeRoot = (root: string, models: string): string => {
  const fakeRoot = join(root, 'fake');
  const workers = join(fakeRoot, ENGINE_MODULE, '..');
  mkdirSync(workers, { recursive: true });
  const engine = relative(workers, join(root, 'dist/server/fake-engine.js'));
  writeFileSync(join(fakeRoot, ENGINE_MODULE), `export { default } from '${engine}';\n`);
  symlinkSync(models, join(fakeRoot, 'models'));
  return fakeRoot;
};

/** Builds the server with the programs of tests. @param models folder of the models */
export const buildCluster = async (models: string): Promise<ClusterProgram> => {
  const root = await buildServer('veil-cluster', models, {
    'role-process': join(import.meta.dirname, 'role-process.ts'),
    'fake-engine': join(import.meta.dirname, 'fake-engine.ts'),
  });
  const product = join(root, 'run.mjs');
  writeFileSync(product, PRODUCT);
  return {
    root,
    fakeRoot: createFakeRoot(root, models),
    roleProcess: join(root, 'dist/server/role-process.js'),
    product,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
