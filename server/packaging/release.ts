/**
 * `npm run release`: writes the files of a release for one platform to `dist/release`.
 *
 * - `veil-<version>-<platform>.tgz`: the npm package
 * - `veil-<version>-<platform>.cdx.json`: the software bill of materials
 * - with `--page`, `veil-page-<version>.tar.gz`: the page for static hosts, without compressed copies
 * - with `--image`, `veil-image-<version>-<platform>.tar`: the container image, by `docker buildx`
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
import { type Manifest, releaseManifest } from './release-manifest';

endWhenOutputCloses();

const ROOT = join(import.meta.dirname, '../..');
const RELEASE = join(ROOT, 'dist/release');
const PLATFORM = process.env['VEIL_PACK_PLATFORM'] ?? `${process.platform}-${process.arch}`;

const { values: wanted } = parseArgs({
  options: { page: { type: 'boolean', default: false }, image: { type: 'boolean', default: false } },
});
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

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

/** Packs the checkout, then packs the result again with the `package.json` of the release. */
const packRelease = (folder: string): void => {
  run('tar', ['-xzf', pack(ROOT, folder), '-C', folder]);
  const staging = join(folder, 'package');
  const file = join(staging, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  writeFileSync(file, `${JSON.stringify(releaseManifest(manifest, PLATFORM), undefined, 2)}\n`);
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

const buildImage = (): void => {
  const platform = DOCKER_PLATFORMS[PLATFORM];
  if (!platform) throw new Error(`There is no image for ${PLATFORM}.`);
  const file = join(RELEASE, `veil-image-${version}-${PLATFORM}.tar`);
  const output = ['--output', `type=docker,dest=${file}`];
  run('docker', ['buildx', 'build', '--platform', platform, '--tag', `veil:${version}`, ...output, '.']);
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
  if (wanted.image) buildImage();
  writeChecksums();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
