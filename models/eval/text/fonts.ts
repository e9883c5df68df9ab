import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { readNpmPackage } from '../../build/fetch-npm-package';
import type { PinnedPackage } from '../../build/pinned-package';

/** A font of one script, in a pinned package. */
interface FontPackage extends PinnedPackage {
  readonly file: string;
}

/** Fonts that systems often lack: handwriting, Devanagari, Thai. All have the SIL Open Font License 1.1. */
const FONT_PACKAGES: readonly FontPackage[] = [
  {
    name: '@fontsource/caveat',
    version: '5.3.0',
    integrity:
      'sha512-eHTfzQxFSW9ABERRLNruHoNJmKed2J7pqTUc5lp4a4POMgXGKpxmWj3d9Hz10kmAg6iuTTLe6UagbA4bnsmfQw==',
    file: 'files/caveat-latin-400-normal.woff',
  },
  {
    name: '@fontsource/noto-sans-devanagari',
    version: '5.3.0',
    integrity:
      'sha512-7khYmipS/5KAUUmrO1DKir8yL8XI00d0+ZE9BqbS8XF1jzObv6CpPOk3UeYxF+Pvi8bx9bBvprBCOcbx/eQWTQ==',
    file: 'files/noto-sans-devanagari-devanagari-400-normal.woff',
  },
  {
    name: '@fontsource/noto-sans-thai',
    version: '5.3.0',
    integrity:
      'sha512-ngqUyvDukkZUHypQbUJvUdAeYa2aYZsyeDTsdqMudf7GK2F2TK19OZ5kbo+37qsBtkNpmAMhEObQnWnzPqzKUw==',
    file: 'files/noto-sans-thai-thai-400-normal.woff',
  },
];

const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;
const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;

/**
 * Unpacks a WOFF file to the TrueType file in it, because Pango reads no WOFF.
 *
 * @see https://www.w3.org/TR/WOFF/, sections 3 to 5
 */
const unpackWoff = (woff: Buffer): Buffer => {
  const count = woff.readUInt16BE(12);
  const log = Math.floor(Math.log2(count));
  const header = Buffer.alloc(SFNT_HEADER + SFNT_ENTRY * count);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  header.writeUInt16BE(SFNT_ENTRY * 2 ** log, 6);
  header.writeUInt16BE(log, 8);
  header.writeUInt16BE(SFNT_ENTRY * (count - 2 ** log), 10);
  const tables: Buffer[] = [];
  let offset = header.length;
  for (let i = 0; i < count; i++) {
    const from = WOFF_HEADER + WOFF_ENTRY * i;
    const [at, packedLength, length] = [4, 8, 12].map((field) => woff.readUInt32BE(from + field));
    const packed = woff.subarray(at, at! + packedLength!);
    const table = packedLength! < length! ? inflateSync(packed) : packed;
    const entry = SFNT_HEADER + SFNT_ENTRY * i;
    woff.copy(header, entry, from, from + 4);
    woff.copy(header, entry + 4, from + 16, from + 20);
    header.writeUInt32BE(offset, entry + 8);
    header.writeUInt32BE(length!, entry + 12);
    // Tables begin at multiples of four bytes.
    const padded = Buffer.alloc(Math.ceil(length! / 4) * 4);
    table.copy(padded);
    tables.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([header, ...tables]);
};

/**
 * Adds the fonts of these packages to those of the system, for this process.
 *
 * Has to be called before the first text is drawn, because fontconfig reads its configuration once.
 */
export const addFonts = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'veil-eval-fonts-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'cache'));
  for (const { file, ...pinned } of FONT_PACKAGES) {
    const woff = (await readNpmPackage(pinned, [file])).get(file);
    if (!woff) throw new Error(`${pinned.name} has no ${file}`);
    await writeFile(join(folder, `${pinned.name.replace('/', '-')}.ttf`), unpackWoff(Buffer.from(woff)));
  }
  const configuration = join(folder, 'fonts.conf');
  const places = `<include>/etc/fonts/fonts.conf</include><dir>${folder}</dir><cachedir>${folder}/cache</cachedir>`;
  await writeFile(configuration, `<?xml version="1.0"?><fontconfig>${places}</fontconfig>`);
  process.env.FONTCONFIG_FILE = configuration;
};
