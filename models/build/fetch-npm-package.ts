import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PackageFiles, PinnedPackage } from './pinned-package';

const run = promisify(execFile);

/** The package could not be downloaded: there is no network, or no npm. */
class PackageUnreachable extends Error {
  override readonly name = 'PackageUnreachable';
  readonly code = 'NPM_FAILED';
}

/**
 * Fetches the tarball of a pinned package, from npm's cache if possible, and reads some of its files.
 *
 * No code of the package runs: npm only downloads the tarball, and its SHA-512 is checked before it is unpacked.
 *
 * @throws PackageUnreachable if the registry cannot be reached; Error if the tarball has another hash
 */
export async function readNpmPackage(
  { name, version, integrity }: PinnedPackage,
  paths: readonly string[],
): Promise<PackageFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'veil-model-source-'));
  const wanted = `${name}@${version}`;
  try {
    const pack = [
      'pack',
      wanted,
      '--prefer-offline',
      '--ignore-scripts',
      '--silent',
      '--pack-destination',
      folder,
    ];
    await run('npm', pack, { shell: process.platform === 'win32' }).catch((cause: unknown) => {
      throw new PackageUnreachable(`npm could not download ${wanted}.`, { cause });
    });
    const [tarball = ''] = await readdir(folder);
    const bytes = await readFile(join(folder, tarball));
    const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (found !== integrity) {
      throw new Error(`The tarball of ${wanted} has the hash ${found} instead of ${integrity}.`);
    }
    await run('tar', ['-xzf', tarball, ...paths.map((path) => `package/${path}`)], { cwd: folder });
    const files = paths.map(async (path) => [path, await readFile(join(folder, 'package', path))] as const);
    return new Map(await Promise.all(files));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
