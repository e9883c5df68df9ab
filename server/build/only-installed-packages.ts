import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import type { Plugin } from 'vite';

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
  name: 'veil-only-installed-packages',
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
