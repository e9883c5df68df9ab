import { readFile, cp, rm } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { dirname, join } from 'node:path';

/** Folder of libraries in onnxruntime-node, with one folder for each system and processor. */
const LIBRARIES = 'bin/napi-v6';

/** A system and a processor as Node names them, for example `linux-x64`. */
const PLATFORM = /^(linux|darwin|win32)-(x64|arm64)$/;

/**
 * The folder of the library that a build contains.
 *
 * @param wanted name of a platform; undefined for this machine's
 * @throws Error for an unknown name
 */
export const libraryFolder = (wanted = `${process.platform}-${process.arch}`): string => {
  const [, system, processor] = PLATFORM.exec(wanted) ?? [];
  if (!system || !processor) throw new Error(`VEIL_PACK_PLATFORM must be like linux-arm64, not "${wanted}".`);
  return `${LIBRARIES}/${system}/${processor}`;
};

/**
 * Copies the library of onnxruntime next to the built server, where the bundled JavaScript loads it.
 *
 * The package onnxruntime-node contains the libraries of all platforms (294 MB, of which 45 MB are used), and its
 * installation script downloads more. Therefore it is not a dependency of the installed package.
 */
export const onnxruntimeLibrary = (): Plugin => ({
  name: 'veil-onnxruntime-library',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const folder = libraryFolder(process.env['VEIL_PACK_PLATFORM']);
    const main = createRequire(import.meta.url).resolve('onnxruntime-node');
    await rm(join(dir, LIBRARIES), { recursive: true, force: true });
    await cp(join(dirname(main), '..', folder), join(dir, folder), { recursive: true });
  },
});

/** The package of a module, such as `@fastify/static` for `@fastify/static/types`. */
const packageOf = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');

/** The imported packages, without Node's modules and the server's own files. */
const packagesOf = (imports: readonly string[]): readonly string[] =>
  imports
    .filter((module) => !/^(node:|[./])/.test(module) && !builtinModules.includes(module))
    .map(packageOf);

/**
 * Fails a build that imports a package which is neither bundled nor a dependency, because it would not start where it
 * is installed.
 *
 * @param packageFile path of `package.json`
 */
export const onlyInstalledPackages = (packageFile: string): Plugin => ({
  name: 'veil-vite-plugins',
  apply: 'build',
  async generateBundle(_options, bundle) {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      await readFile(packageFile, 'utf8'),
    ) as Partial<Record<string, Readonly<Record<string, string>>>>;
    const own = Object.keys(bundle);
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const imports = [...chunk.imports, ...chunk.dynamicImports].filter((file) => !own.includes(file));
      const missing = packagesOf(imports).find(
        (name) => !(name in dependencies || name in optionalDependencies),
      );
      if (missing) {
        this.error(
          `${chunk.fileName} imports ${missing}, which is not installed with the server: make it a dependency, or bundle it (server/vite.config.ts).`,
        );
      }
    }
  },
});
