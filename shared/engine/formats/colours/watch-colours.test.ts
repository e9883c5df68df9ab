import { describe, expect, it } from 'vitest';
import { highBitsFirst } from '../audio/bit-reader';
import { readH264Colours } from './h264-colours';
import { readHevcColours } from './hevc-colours';
import { watchColours } from './watch-colours';

const bytes = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(hex, 'hex'));

/** Sets of x264 and x265, and made ones that have what these never write; ffmpeg reads the same colours in all. */
const H264 = {
  plain: '6742c00ad9062ec044000003000400000300503c489920',
  fullRange: '6764000aacd9462ec05b2000000300200000030281e244b2c0',
  ntsc: '6764000aacd9462ec06d4181819000000300100000030140f1225960',
  interlaced: '67640015acd9476f112602dc040405000003000100000300141f142996',
  hlg444: '67f4000a919b28c5d80b70912094000003000400000300503c489658',
  listsAndOrder:
    '676e0028ad407f00f28120074809080d4015802c00a603fc0ee06c01b203f40730188058009a008081540784047b02a83402a0b1404c0212c81f05805420c56ad414401008',
} as const;
const HEVC = {
  plain: '42010101600000030090000003000003001ea0308145964a924caf0168080000030008000003005040',
  fullRange: '42010101600000030090000003000003001ea030814596566924caf016c080000003008000000504',
  hlg: '42010202200000030090000003000003001e0000a0308144d965662b349265781da84890482000000300200000030141',
  pq444: '4201010408000003009c0800000300001e9006902ce79db2cacd249caf016a122012080000030008000003005040',
  threePartsAndReferences:
    '42010501600000030090000003000003005d70005a01600000030090000003000003005aa03081474b8d841c20e107bb48ddf0a6454df791c889356880761b0edac06d4143410020',
  moreReferences:
    '42010701600000030090000003000003005d48005a0160000003009000000300000300b03081474b8d041eed20152326446465ec64e559001267d5270880fff0007000bb7091207008',
} as const;

const HDTV = { fullRange: false, primaries: 1, transfer: 1, matrix: 1 };
const COLOURS = [
  ['H.264 without colours', H264.plain, HDTV],
  ['H.264 in full range', H264.fullRange, { ...HDTV, fullRange: true }],
  ['H.264 in BT.601', H264.ntsc, { ...HDTV, primaries: 6, matrix: 6 }],
  ['H.264, interlaced', H264.interlaced, { ...HDTV, fullRange: true }],
  ['H.264, 4:4:4', H264.hlg444, { fullRange: true, primaries: 9, transfer: 18, matrix: 9 }],
  ['H.264 with lists', H264.listsAndOrder, { ...HDTV, primaries: 5, transfer: 16, matrix: 4 }],
  ['HEVC without colours', HEVC.plain, HDTV],
  ['HEVC in full range', HEVC.fullRange, { ...HDTV, fullRange: true }],
  ['HEVC of two parts', HEVC.hlg, { ...HDTV, primaries: 9, transfer: 18, matrix: 9 }],
  ['HEVC, 4:4:4', HEVC.pq444, { ...HDTV, primaries: 9, transfer: 16, matrix: 9 }],
  ['HEVC of more parts', HEVC.threePartsAndReferences, { ...HDTV, primaries: 5, transfer: 13, matrix: 4 }],
  ['HEVC with references', HEVC.moreReferences, { fullRange: true, primaries: 9, transfer: 18, matrix: 7 }],
] as const;

const unescaped = (hex: string): Uint8Array => bytes(hex.replaceAll(/(?<=^(?:..)*)000003/g, '0000'));
const CODECS = {
  avc: { read: readH264Colours, sets: H264, type: '65', other: '6801' },
  hevc: { read: readHevcColours, sets: HEVC, type: '2601', other: '4401' },
} as const;

it.each(COLOURS)('colours are read from a parameter set: %s', (name, hex, colours) => {
  const { read } = CODECS[name.startsWith('H') && name.includes('264') ? 'avc' : 'hevc'];
  expect(read(highBitsFirst(unescaped(hex)))).toEqual(colours);
});

const hexOf = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const counted = (hex: string): string => hexOf(hex.length / 2, 4) + hex;
const withLengths = (units: readonly string[]): Uint8Array =>
  bytes(units.map((hex) => hexOf(hex.length / 2, 8) + hex).join(''));
const withCodes = (units: readonly string[]): Uint8Array =>
  bytes(units.map((hex, at) => (at === 1 ? '000001' : '00000001') + hex).join(''));

const configuration = (codec: keyof typeof CODECS, sets: readonly string[]): Uint8Array =>
  codec === 'avc'
    ? bytes(`0164001fff${hexOf(0xe0 | sets.length, 2)}${sets.map(counted).join('')}00`)
    : bytes(
        `01${'00'.repeat(20)}0f02a00001${counted('4001')}a1${hexOf(sets.length, 4)}${sets.map(counted).join('')}`,
      );

describe.each(['avc', 'hevc'] as const)('the colours of %s', (codec) => {
  const { sets, type, other } = CODECS[codec];
  const frame = (...parts: readonly string[]): readonly string[] => [...parts, other, `${type}8080`];
  const watch = () => watchColours(codec, configuration(codec, [sets.plain]))!;
  const changed = codec === 'avc' ? H264.ntsc : HEVC.hlg;

  it('stay the same with the same set, another one of the same colours, or none', () => {
    const keeps = watch();
    const alike = `${sets.plain.slice(0, -2)}0080`;
    for (const parts of [[], [sets.plain], [alike]]) {
      expect(keeps(withLengths(frame(...parts)))).toBe(true);
    }
  });

  it('change with a set that states others, from there on', () => {
    const keeps = watch();
    expect(keeps(withLengths(frame()))).toBe(true);
    expect(keeps(withLengths(frame(sets.plain, changed)))).toBe(false);
    expect(keeps(withLengths(frame(sets.plain)))).toBe(false);
    expect(watch()(withLengths(frame(sets.fullRange)))).toBe(false);
  });

  it('change where a configuration has two of them', () => {
    const keeps = watchColours(codec, configuration(codec, [sets.plain, changed]))!;
    expect(keeps(withLengths(frame()))).toBe(false);
  });

  it('are those of the first packet where the configuration has none, or where there is none', () => {
    const empty = watchColours(codec, configuration(codec, []))!;
    expect(empty(withLengths(frame(changed)))).toBe(true);
    expect(empty(withLengths(frame(sets.plain)))).toBe(false);
    const without = watchColours(codec, undefined)!;
    expect(without(withCodes(frame(changed)))).toBe(true);
    expect(without(withCodes(frame(changed)))).toBe(true);
    expect(without(withCodes(frame(sets.plain)))).toBe(false);
  });

  it('are found between start codes as well, as decoders find them', () => {
    expect(watch()(withCodes(frame(sets.plain)))).toBe(true);
    expect(watch()(withCodes(frame(changed)))).toBe(false);
  });

  it('count as changed with another set that is unreadable', () => {
    const broken = sets.plain.slice(0, 12);
    expect(watch()(withLengths(frame(broken)))).toBe(false);
    const keeps = watchColours(codec, configuration(codec, [broken]))!;
    expect(keeps(withLengths(frame(broken)))).toBe(true);
    expect(keeps(withLengths(frame(sets.plain)))).toBe(false);
  });

  it('never fail on what is cut or broken', () => {
    const whole = withLengths(frame(changed));
    for (let length = 0; length < whole.length; length++) {
      const record = configuration(codec, [sets.plain]);
      const keeps = watchColours(codec, record.subarray(0, length))!;
      expect(typeof keeps(whole.subarray(0, length))).toBe('boolean');
    }
    const zeros = bytes(`${changed.slice(0, 4)}${'00'.repeat(4096)}`);
    expect(typeof watch()(zeros)).toBe('boolean');
    expect(watch()(withLengths(frame(`${changed.slice(0, 4)}${'00'.repeat(4096)}`)))).toBe(false);
  });
});

it('the set of a second view is none of the first', () => {
  const keeps = watchColours('hevc', configuration('hevc', [HEVC.plain]))!;
  expect(keeps(withLengths([`4209${HEVC.hlg.slice(4)}`]))).toBe(true);
});

it('the frames of other codecs are not looked at', () => {
  expect(watchColours('vp9', undefined)).toBeUndefined();
  expect(watchColours(null, undefined)).toBeUndefined();
});
