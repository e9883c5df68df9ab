import { readFileSync, writeFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Set by `npm run notices`: the list is written instead of compared. */
const WRITES = 'VEIL_WRITE_BUNDLED';
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/?]+)/;

const packageOf = (id: string): string | undefined => PACKAGE.exec(id)?.[1];

export interface BundledPackages {
  /** For the page, and for each of its workers, which are bundled apart. */
  plugin(): Plugin;
  /** After all of them: what was bundled is what the notices list. */
  check(): Plugin;
}

/**
 * Watches which npm packages become part of a bundle.
 *
 * What a bundle holds is distributed with it, and needs its licence in the notices, whichever section of package.json
 * names it.
 *
 * @param listFile JSON: names of packages. @throws in the build where the list is another
 */
export const bundledPackages = (listFile: string): BundledPackages => {
  const found = new Set<string>();
  const collect = (ids: Iterable<string>): void => {
    for (const id of ids) {
      const name = packageOf(id);
      if (name !== undefined) found.add(name);
    }
  };
  return {
    plugin: () => ({
      name: 'bundled-packages',
      apply: 'build',
      generateBundle(_options, bundle) {
        for (const output of Object.values(bundle)) {
          if (output.type === 'chunk') collect(output.moduleIds);
          else collect(output.originalFileNames);
        }
        collect(this.getModuleIds());
      },
    }),
    check: () => ({
      name: 'bundled-packages-check',
      apply: 'build',
      closeBundle() {
        const list = `${JSON.stringify([...found].sort(), undefined, 2)}\n`;
        if (process.env[WRITES]) writeFileSync(listFile, list);
        else if (readFileSync(listFile, 'utf8') !== list) {
          this.error('Other packages are bundled than the notices list: run `npm run notices`.');
        }
      },
    }),
  };
};
