import { box, changeIndex, u32, type ChangeBox } from '../../../server/testing/mp4-surgery';
import { attack, bytesOf, filled, join, many, repeated, type Attack } from './attack';

const TABLE = 'moov/trak/mdia/minf/stbl';
const HUGE = [0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];
const MOVIE_BYTES = 900_000;

/** Replaces a table of the first track, or adds it. */
const withTable = (clip: Uint8Array, type: string, content: Uint8Array): Uint8Array => {
  let track = 0;
  return changeIndex(clip, (path, before) => {
    if (path === 'moov/trak') track += 1;
    if (path !== TABLE || track > 0) return undefined;
    const has = Buffer.from(before).includes(type, 0, 'latin1');
    const renamed = has ? Buffer.from(before) : before;
    if (has) (renamed as Buffer).write('skip', Buffer.from(before).indexOf(type, 0, 'latin1'), 'latin1');
    return join(renamed, box(type, content));
  });
};

const withTables = (clip: Uint8Array, tables: Readonly<Record<string, Uint8Array>>): Uint8Array =>
  Object.entries(tables).reduce((file, [type, content]) => withTable(file, type, content), clip);

const inBox =
  (path: string, ...added: readonly Uint8Array[]): ChangeBox =>
  (at, content) =>
    at === path ? join(content, ...added) : undefined;

const addTo = (clip: Uint8Array, path: string, ...added: readonly Uint8Array[]): Uint8Array =>
  changeIndex(clip, inBox(path, ...added));

/** Boxes in one another, each of which contains all that follow. */
const nested = (type: string, levels: number): Uint8Array => {
  const bytes = Buffer.alloc(8 * levels);
  for (let level = 0; level < levels; level += 1) {
    bytes.writeUInt32BE(8 * (levels - level), level * 8);
    bytes.write(type, level * 8 + 4, 'latin1');
  }
  return bytes;
};

const sizes = (count: number, size: number): Uint8Array =>
  join(
    u32(0, 0, count),
    filled(count * 4, (at) => (at % 4 === 3 ? size : 0)),
  );

const structures = (clip: Uint8Array): Attack[] => [
  ...['free', 'wide', 'mdat', 'moof', 'uuid', 'abcd'].flatMap((type) => [
    attack(`mp4: top-level boxes of 8 bytes, ${type}, in front`, join(repeated(box(type)), clip)),
    attack(`mp4: top-level boxes of 16 bytes, ${type}, behind`, join(clip, repeated(box(type, filled(8))))),
  ]),
  ...['moov', 'moov/trak', TABLE, 'moov/trak/mdia/minf/dinf'].flatMap((path) =>
    ['free', 'trak', 'udta', 'meta', 'stbl', 'tfra', 'hdlr'].map((type) =>
      attack(`mp4: ${type} of 8 bytes in ${path}`, addTo(clip, path, repeated(box(type)))),
    ),
  ),
  ...['udta', 'meta', 'ilst', 'wave', 'sinf', 'mdia', 'trak', 'mfra', 'traf', 'edts'].flatMap((type) => [
    attack(`mp4: nested ${type} in moov`, addTo(clip, 'moov', nested(type, 100_000))),
    attack(`mp4: nested ${type} in a track`, addTo(clip, 'moov/trak', nested(type, 100_000))),
    attack(`mp4: nested ${type} in tables`, addTo(clip, TABLE, nested(type, 100_000))),
    attack(`mp4: nested ${type} at the top`, join(clip, nested(type, 100_000))),
  ]),
  attack(
    'mp4: items of metadata',
    addTo(clip, 'moov', box('udta', box('meta', u32(0), box('ilst', repeated(box('abcd')))))),
  ),
  attack(
    'mp4: keys of metadata',
    addTo(
      clip,
      'moov',
      box('meta', box('hdlr', filled(24)), box('keys', u32(0, 100_000), repeated(box('mdta')))),
    ),
  ),
  attack(
    'mp4: keys that claim billions',
    addTo(clip, 'moov', box('meta', box('hdlr', filled(24)), box('keys', u32(0, HUGE[3]!)))),
  ),
  attack(
    'mp4: references',
    changeIndex(clip, (path) =>
      path.endsWith('dref') ? join(u32(0, 100_000), repeated(box('url ', u32(1)))) : undefined,
    ),
  ),
  attack(
    'mp4: defaults of tracks',
    addTo(clip, 'moov', box('mvex', repeated(box('trex', u32(0, 1, 1, 1, 1, 0))))),
  ),
  attack(
    'mp4: chapters',
    addTo(
      clip,
      'moov/trak',
      box(
        'tref',
        box(
          'chap',
          filled(MOVIE_BYTES, (at) => at % 251),
        ),
      ),
    ),
  ),
];

const tables = (clip: Uint8Array): Attack[] => [
  ...HUGE.flatMap((count) => [
    ...['stts', 'ctts', 'stss', 'stsc', 'stco', 'co64', 'stsz', 'stz2'].flatMap((type) => [
      attack(`mp4: ${type} claims ${count} entries`, withTable(clip, type, u32(0, count, 1, 1, 1))),
      attack(`mp4: ${type} has one run of ${count}`, withTable(clip, type, u32(0, 1, count, 1, 1))),
      attack(`mp4: ${type} has one run to ${count}`, withTable(clip, type, u32(0, 1, 1, count, 1))),
      attack(
        `mp4: ${type} has a second run at ${count}`,
        withTable(clip, type, u32(0, 2, 1, 1, 1, count, 1, 1)),
      ),
    ]),
    attack(
      `mp4: ${count} samples of one byte`,
      withTables(clip, { stts: u32(0, 1, count, 1), stsz: u32(0, 1, count) }),
    ),
    attack(
      `mp4: descriptions, ${count}`,
      changeIndex(clip, (path, content) =>
        path.endsWith('stsd') ? join(u32(0, count), content.subarray(8)) : undefined,
      ),
    ),
  ]),
  ...[0, 1, 2, 3, 5].map((bits) =>
    attack(`mp4: sizes of ${bits} bits`, withTable(clip, 'stz2', u32(0, bits, 0xffff_ffff))),
  ),
  ...[10_000, 100_000, 200_000].flatMap((count) =>
    [0, 1].map((size) =>
      attack(
        `mp4: ${count} samples of ${size} bytes in one chunk`,
        withTables(clip, {
          stts: u32(0, 1, count, 1),
          stsz: sizes(count, size),
          stsc: u32(0, 1, 1, count, 1),
        }),
      ),
    ),
  ),
  ...[5_000, 50_000, 200_000].flatMap((count) =>
    [10, 4_000].map((inChunk) =>
      attack(
        `mp4: ${count} samples in chunks of ${inChunk}, shifted`,
        withTables(clip, {
          stts: u32(0, 1, count, 1),
          ctts: u32(0, 2, Math.floor(count / 2), 5, Math.floor(count / 2), 0),
          stsz: sizes(count, 1),
          stsc: u32(0, 1, 1, inChunk, 1),
          stco: join(u32(0, Math.ceil(count / inChunk)), filled(4 * Math.ceil(count / inChunk))),
        }),
      ),
    ),
  ),
  attack(
    'mp4: 240,000 samples of one size',
    join(
      withTables(clip, {
        stts: u32(0, 1, 240_000, 1),
        stsz: u32(0, 1, 240_000),
        stsc: u32(0, 1, 1, 240_000, 1),
      }),
      box('mdat', filled(MOVIE_BYTES)),
    ),
  ),
  attack(
    'mp4: runs of one sample',
    withTable(
      clip,
      'stts',
      join(
        u32(0, 100_000),
        filled(800_000, (at) => (at % 4 === 3 ? 1 : 0)),
      ),
    ),
  ),
  attack(
    'mp4: runs of chunks that go back and forth',
    withTable(
      clip,
      'stsc',
      join(
        u32(0, 70_000),
        filled(840_000, (at) => (at % 24 === 3 ? 1 : at % 12 < 4 ? 255 : 1)),
      ),
    ),
  ),
  attack(
    'mp4: edits',
    addTo(
      clip,
      'moov/trak',
      box(
        'edts',
        box(
          'elst',
          join(
            u32(0, 70_000),
            filled(840_000, (at) => (at % 12 === 9 ? 1 : at % 12 === 3 ? 1 : 0)),
          ),
        ),
      ),
    ),
  ),
];

const run = (flags: number, ...fields: readonly number[]): Uint8Array => box('trun', u32(flags, ...fields));
const fragment = (...runs: readonly Uint8Array[]): Uint8Array =>
  box('moof', box('mfhd', u32(0, 1)), box('traf', box('tfhd', u32(0x20038, 1, 1, 1, 0)), ...runs));

/** @param clip with fragments */
const fragments = (clip: Uint8Array): Attack[] => [
  ...HUGE.map((count) => attack(`mp4: a fragment of ${count} samples`, join(clip, fragment(run(0, count))))),
  ...HUGE.map((count) =>
    attack(`mp4: a fragment of ${count} sizes`, join(clip, fragment(run(0xf00, count)))),
  ),
  attack(
    'mp4: a fragment of 240,000 samples',
    join(clip, fragment(run(0, 240_000)), box('mdat', filled(MOVIE_BYTES))),
  ),
  attack('mp4: runs of one sample', join(clip, fragment(many(40_000, () => run(0, 1))))),
  attack('mp4: fragments without a track', join(clip, repeated(box('moof', box('mfhd', u32(0, 1)))))),
  attack(
    'mp4: fragments of one sample',
    join(clip, repeated(join(fragment(run(0, 1)), box('mdat', filled(1))))),
  ),
  attack(
    'mp4: fragments whose time goes back',
    join(
      clip,
      many(6_000, (at) =>
        box(
          'moof',
          box('mfhd', u32(0, 1)),
          box('traf', box('tfhd', u32(0x20038, 1, 1, 1, 0)), box('tfdt', u32(0, 6_000 - at)), run(0, 1)),
        ),
      ),
    ),
  ),
  ...[0, 1].map((step) => {
    const entries = filled(80_000 * 11, (at) => (at % 11 === 3 ? step : 0));
    const list = box('mfra', box('tfra', u32(0, 1, 0, 80_000), entries));
    const last = box('mfro', u32(0, list.byteLength + 16));
    return attack(
      `mp4: positions of fragments at ${step === 0 ? 'one time' : 'two times'}`,
      join(clip, list, last),
    );
  }),
];

/** Attacks on the readers of MP4 and QuickTime. @param clip with an index. @param live with fragments */
export const mp4Attacks = (clip: Uint8Array, live: Uint8Array): Attack[] => [
  ...structures(clip),
  ...tables(clip),
  ...fragments(live),
  attack('mp4: nothing changed', bytesOf(clip)),
  attack('mp4: nothing changed, fragments', bytesOf(live)),
];
