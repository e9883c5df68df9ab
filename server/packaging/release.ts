/**
 * `npm run release`: writes the files of a release for one platform to `dist/release`.
 *
 * - `veil-<version>-<platform>.tgz`: the npm package, with the lock of its dependencies
 * - `veil-<version>-<platform>.cdx.json`: the software bill of materials
 * - with `--page`, `veil-page-<version>.tar.gz`: the page for static hosts, without compressed copies
 * - with `--image <digest>`, `veil-image-<version>-<platform>.tar`: the container image, by `docker buildx`, on the base
 *   image with this digest; and the Dockerfile that names it
 * - `SHA256SUMS-<platform>`
 *
 * VEIL_PACK_PLATFORM, for example linux-arm64, sets the platform; the default is this machine's.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endWhenOutputCloses } from '../end-when-output-closes';
import { pinBase } from './pin-base';
import { type Manifest, releaseManifest, type FindIntegrity, type Lock, shrinkwrapOf } from './shrinkwrap';

endWhenOutputCloses();

const ROOT = join(import.meta.dirname, '../..');
const RELEASE = join(ROOT, 'dist/release');
const PLATFORM = process.env['VEIL_PACK_PLATFORM'] ?? `${process.platform}-${process.arch}`;

const { values: wanted } = parseArgs({
  options: { page: { type: 'boolean', default: false }, image: { type: 'string' } },
});
const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const writeJson = (file: string, content: unknown): void =>
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
const { version } = readJson<Manifest>(join(ROOT, 'package.json'));

const run = (program: string, args: readonly string[], cwd = ROOT): void => {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
};
const pack = (folder: string, into: string, ...flags: readonly string[]): string => {
  run('npm', ['pack', '--silent', '--pack-destination', into, ...flags], folder);
  return join(
    into,
    readdirSync(into).find((name) => name.endsWith('.tgz'))!,
  );
};

/** Asks the registry for the integrity value of a package. */
const findIntegrity: FindIntegrity = (name, wanted) => {
  const view = ['view', '--silent', `${name}@${wanted}`, 'dist.integrity'];
  try {
    return execFileSync('npm', view, { cwd: ROOT, encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
};

// Both may refuse, and a build takes a minute.
const shrinkwrap = shrinkwrapOf(readJson<Lock>(join(ROOT, 'package-lock.json')), PLATFORM, findIntegrity);
const dockerfile =
  wanted.image === undefined
    ? undefined
    : pinBase(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'), wanted.image);

/** Packs the checkout, then packs the result again with the `package.json` and the lock of the release. */
const packRelease = (folder: string): void => {
  run('tar', ['-xzf', pack(ROOT, folder), '-C', folder]);
  const staging = join(folder, 'package');
  const file = join(staging, 'package.json');
  writeJson(file, releaseManifest(readJson(file), PLATFORM));
  writeJson(join(staging, 'npm-shrinkwrap.json'), shrinkwrap);
  const out = join(folder, 'out');
  mkdirSync(out);
  renameSync(pack(staging, out, '--ignore-scripts'), join(RELEASE, `veil-${version}-${PLATFORM}.tgz`));
};

/** Output of the script `sbom`. */
const SBOM = join(ROOT, 'dist/sbom.cdx.json');

const writeSbom = (): void => {
  run('npm', ['run', '--silent', '--if-present', 'sbom']);
  if (existsSync(SBOM)) copyFileSync(SBOM, join(RELEASE, `veil-${version}-${PLATFORM}.cdx.json`));
};

const packPage = (): void => {
  const archive = join(RELEASE, `veil-page-${version}.tar.gz`);
  run('tar', ['-czf', archive, '--exclude=*.br', '--exclude=*.gz', '-C', join(ROOT, 'dist/web'), '.']);
};

/** Docker's name of a processor. */
const DOCKER_PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux/amd64',
  'linux-arm64': 'linux/arm64',
};

const buildImage = (instructions: string): void => {
  const platform = DOCKER_PLATFORMS[PLATFORM];
  if (!platform) throw new Error(`There is no image for ${PLATFORM}.`);
  const image = join(RELEASE, `veil-image-${version}-${PLATFORM}`);
  const file = `${image}.Dockerfile`;
  writeFileSync(file, instructions);
  const what = ['--platform', platform, '--tag', `veil:${version}`, '--file', file];
  run('docker', ['buildx', 'build', ...what, '--output', `type=docker,dest=${image}.tar`, '.']);
};

const writeChecksums = (): void => {
  const lines = readdirSync(RELEASE)
    .sort()
    .map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(RELEASE, name)));
      return `${hash.digest('hex')}  ${name}\n`;
    });
  writeFileSync(join(RELEASE, `SHA256SUMS-${PLATFORM}`), lines.join(''));
  process.stdout.write(lines.join(''));
};

rmSync(RELEASE, { recursive: true, force: true });
mkdirSync(RELEASE, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'veil-release-'));
try {
  packRelease(folder);
  writeSbom();
  if (wanted.page) packPage();
  if (dockerfile !== undefined) buildImage(dockerfile);
  writeChecksums();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
