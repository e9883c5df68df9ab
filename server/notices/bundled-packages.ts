import { readFileSync, writeFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Environment variable of `npm run notices`: the list is written instead of compared. */
const WRITES = 'VEIL_WRITE_BUNDLED';
/** Of a package in another one, the names of both: its version may differ from that of the outer one. */
const PACKAGE = /node_modules\/((?:(?:@[^/]+\/)?[^/]+\/node_modules\/)*(?:@[^/]+\/)?[^/?]+)/;

const packageOf = (id: string): string | undefined => PACKAGE.exec(id)?.[1];

export interface BundledPackages {
  /** Plugin for the page and for each of its workers, which are bundled separately. */
  plugin(): Plugin;
  /** Plugin that runs after all of them and compares the bundled packages with the list. */
  check(): Plugin;
}

/**
 * Collects the npm packages that become part of a bundle.
 *
 * Bundled packages are distributed and need their licences in the notices, independent of the section of package.json
 * that contains them.
 *
 * @param listFile JSON file with names of packages; the build fails if the bundled packages differ from it
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
