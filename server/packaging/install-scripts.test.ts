import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

it('no package runs a script while it is installed, and package.json says so for each that has one', () => {
  const { packages } = readJson('package-lock.json') as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  const { allowScripts } = readJson('package.json') as { readonly allowScripts: object };
  const withScripts = Object.keys(packages)
    .filter((path) => packages[path]?.hasInstallScript)
    .map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect(allowScripts).toEqual(Object.fromEntries(withScripts.map((name) => [name, false])));
});
