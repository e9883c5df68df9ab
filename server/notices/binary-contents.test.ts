import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BINARY_CONTENTS, MARKERS } from './binary-contents';
import { requireAllowed, lockPackages, noticePackages } from './notice-packages';
import { binaryPartsOf } from './render-sbom';

const ROOT = join(import.meta.dirname, '../..');
const BINARY = /\.(node|wasm|dylib|dll|so(\.[\d.]+)?)$/;

const distributed = new Set(noticePackages(ROOT).map(({ name }) => name));
/** Binaries of distributed packages, as far as they are installed on this machine. */
const binaries = lockPackages(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  .filter(({ name, path }) => distributed.has(name) && existsSync(join(ROOT, path)))
  .flatMap(({ name, path }) =>
    readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
      .filter((file) => BINARY.test(file) && !file.includes('node_modules'))
      .map((file) => [name, join(path, file)] as const),
  );

const markedIn = (file: string): string[] => {
  const bytes = readFileSync(join(ROOT, file));
  return MARKERS.filter(({ text }) => bytes.includes(text)).map(({ name }) => name);
};

describe('the list of libraries in binaries', () => {
  it.each(binaries)('contains all known libraries in %s: %s', (name, file) => {
    const entry = BINARY_CONTENTS.some(({ packages }) =>
      packages.some((pattern) =>
        pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
      ),
    );
    expect(entry, 'the package has an entry').toBe(true);
    const listed = binaryPartsOf(name).map((part) => part.name);
    for (const found of markedIn(file)) expect(listed).toContain(found);
  });

  it.each([
    ['@napi-rs/webcodecs-linux-x64-gnu', ['x264', 'x265', 'LAME', 'libopus', 'libvpx', 'libaom', 'libjxl']],
    ['@ffmpeg/core', ['x264', 'x265', 'LAME', 'libopus', 'libtheora', 'libvpx', 'libass', 'zimg']],
  ])('is checked with markers that exist in %s', (name, parts) => {
    const file = binaries.find(([owner]) => owner === name)?.[1];
    if (file === undefined) return;
    expect(markedIn(file)).toEqual(expect.arrayContaining(parts));
  });

  it('has binaries under the GPL only in packages for which that is allowed', () => {
    for (const { packages, effectiveLicence } of BINARY_CONTENTS) {
      for (const name of packages) requireAllowed(name.replace('*', ''), effectiveLicence ?? 'MIT');
    }
  });
});
