import { describe, expect, it } from 'vitest';
import { highBitsFirst } from '../audio/bit-reader';
import { readAv1Colours } from './av1-colours';
import { readH264Colours } from './h264-colours';
import { readHevcColours } from './hevc-colours';
import { readVp9Colours } from './vp9-colours';
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

/** Sequence headers of libaom, SVT-AV1 and rav1e, and the beginnings of key frames of libvpx; ffmpeg reads the same. */
const AV1 = {
  plain: '0000000337fbe6d7c802',
  hdtv: '0000000337fbe6d7c880808082',
  fullRange: '0000000337fbe7dfc8808080c2',
  hlg: '0000000337fbe6d7ca84890482',
  pqOf12Bits: '4000000337fbe6d7cb4244027840',
  srgb: '2000000337fbe6d7c9010d0020',
  grey: '0000000337fbe6d7c950',
  still: '1819bfdf68808080c2',
  timing: '040000000400000029780000000a530000035f915f90bb37fbe6d7c8848704c2',
  ofRav1e: '000000f99bfdf10854408080a5',
} as const;
const VP9 = {
  plain: '8249834200',
  hdtv: '8249834240',
  fullRange: '8249834270',
  uhdOf10Bits: '9249834250',
  rgb: 'a2498342e0',
  of12Bits444: 'b124c1a154',
} as const;

const OPEN = { fullRange: false, primaries: 2, transfer: 2, matrix: 2 };
const HDTV = { fullRange: false, primaries: 1, transfer: 1, matrix: 1 };
const COLOURS = [
  ['H.264 without colours', H264.plain, OPEN],
  ['H.264 in full range', H264.fullRange, { ...OPEN, fullRange: true }],
  ['H.264 in BT.601', H264.ntsc, { ...HDTV, primaries: 6, transfer: 6, matrix: 6 }],
  ['H.264, interlaced', H264.interlaced, { ...HDTV, fullRange: true }],
  ['H.264, 4:4:4', H264.hlg444, { fullRange: true, primaries: 9, transfer: 18, matrix: 9 }],
  ['H.264 with lists', H264.listsAndOrder, { ...HDTV, primaries: 5, transfer: 16, matrix: 4 }],
  ['HEVC without colours', HEVC.plain, OPEN],
  ['HEVC in full range', HEVC.fullRange, { ...OPEN, fullRange: true }],
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

const HEADERS = [
  ['AV1 without colours', readAv1Colours, AV1.plain, OPEN],
  ['AV1 in HDTV', readAv1Colours, AV1.hdtv, HDTV],
  ['AV1 in full range', readAv1Colours, AV1.fullRange, { ...HDTV, fullRange: true }],
  ['AV1 in HLG', readAv1Colours, AV1.hlg, { fullRange: false, primaries: 9, transfer: 18, matrix: 9 }],
  [
    'AV1 of 12 bits',
    readAv1Colours,
    AV1.pqOf12Bits,
    { fullRange: true, primaries: 9, transfer: 16, matrix: 9 },
  ],
  ['AV1 in sRGB', readAv1Colours, AV1.srgb, { fullRange: true, primaries: 1, transfer: 13, matrix: 0 }],
  ['AV1 in grey', readAv1Colours, AV1.grey, { ...OPEN, fullRange: true }],
  ['AV1, a still image', readAv1Colours, AV1.still, { ...HDTV, fullRange: true }],
  ['AV1 with timing', readAv1Colours, AV1.timing, { fullRange: true, primaries: 9, transfer: 14, matrix: 9 }],
  ['AV1 of another encoder', readAv1Colours, AV1.ofRav1e, { ...OPEN, fullRange: true }],
  ['VP9 without colours', readVp9Colours, VP9.plain, OPEN],
  ['VP9 in HDTV', readVp9Colours, VP9.hdtv, { ...OPEN, matrix: 1 }],
  ['VP9 in full range', readVp9Colours, VP9.fullRange, { ...OPEN, fullRange: true, matrix: 6 }],
  ['VP9 of 10 bits', readVp9Colours, VP9.uhdOf10Bits, { ...OPEN, matrix: 9 }],
  ['VP9 in RGB', readVp9Colours, VP9.rgb, { ...OPEN, fullRange: true, matrix: 0 }],
  ['VP9 of 12 bits, 4:4:4', readVp9Colours, VP9.of12Bits444, { ...OPEN, fullRange: true, matrix: 1 }],
] as const;

it.each(HEADERS)('colours are read from a header: %s', (_name, read, hex, colours) => {
  expect(read(highBitsFirst(bytes(hex)))).toEqual(colours);
});

const unitOfAv1 = (type: number, hex: string): string =>
  hexOf((type << 3) | 2, 2) + hexOf(hex.length / 2, 2) + hex;
/** What is in front of all frames, headers, and a frame that has no size. */
const av1Packet = (...headers: readonly string[]): Uint8Array =>
  bytes(`1200${headers.map((hex) => unitOfAv1(1, hex)).join('')}308080`);
const REST_OF_FRAME = '00800080';
/** A frame each, with their sizes behind them. */
const vp9Packet = (...frames: readonly string[]): Uint8Array => {
  const marker = hexOf(0xc0 | (1 << 3) | (frames.length - 1), 2);
  const sizes = frames.map((hex) => Buffer.of(hex.length / 2, 0).toString('hex'));
  return bytes([...frames, marker, ...sizes, marker].join(''));
};

const WITH_HEADERS = {
  av1: { same: [AV1.hdtv, AV1.plain], changed: [AV1.fullRange, AV1.hlg], packet: av1Packet },
  vp9: {
    same: [VP9.hdtv + REST_OF_FRAME, VP9.plain + REST_OF_FRAME],
    changed: [VP9.fullRange + REST_OF_FRAME, VP9.uhdOf10Bits + REST_OF_FRAME],
    packet: vp9Packet,
  },
} as const;

describe.each(['av1', 'vp9'] as const)('the colours of %s', (codec) => {
  const { same, changed, packet } = WITH_HEADERS[codec];
  const watch = (): ((packet: Uint8Array) => boolean) => {
    const keeps = watchColours(codec, undefined)!;
    expect(keeps(packet(same[0]))).toBe(true);
    return keeps;
  };

  it('stay the same with the same header, another one of the same colours, or none', () => {
    const keeps = watch();
    for (const hex of same) expect(keeps(packet(hex))).toBe(true);
    expect(keeps(bytes('308080'))).toBe(true);
  });

  it('change with a header that states others, from there on', () => {
    for (const hex of changed) {
      const keeps = watch();
      expect(keeps(packet(hex))).toBe(false);
      expect(keeps(packet(same[0]))).toBe(false);
    }
  });

  it('change where a packet has two of them', () => {
    expect(watch()(packet(same[0], changed[0]))).toBe(false);
  });

  it('never fail on what is cut or broken', () => {
    const whole = packet(same[0], changed[0]);
    for (let at = 0; at <= whole.length; at++) {
      expect(typeof watch()(whole.subarray(0, at))).toBe('boolean');
      for (const value of [0, 0x7f, 0x80, 0xff]) {
        expect(typeof watch()(Uint8Array.from(whole, (byte, i) => (i === at ? value : byte)))).toBe(
          'boolean',
        );
      }
    }
  });
});

it('the colours of av1 count as changed with another header that is unreadable', () => {
  const keeps = watchColours('av1', undefined)!;
  expect(keeps(av1Packet(AV1.hdtv))).toBe(true);
  expect(keeps(av1Packet(AV1.fullRange.slice(0, 20)))).toBe(false);
});

// A decoder refuses such a frame.
it('a frame of vp9 without a whole header states nothing', () => {
  const keeps = watchColours('vp9', undefined)!;
  const between = `86${VP9.fullRange.slice(2)}`;
  const broken = `82498343${VP9.fullRange.slice(8)}`;
  for (const hex of [VP9.hdtv, between, broken, VP9.fullRange.slice(0, 8)]) {
    expect(keeps(bytes(hex))).toBe(true);
  }
  expect(keeps(bytes(VP9.fullRange))).toBe(false);
});

it('the frames of other codecs are not looked at', () => {
  expect(watchColours('vp8', undefined)).toBeUndefined();
  expect(watchColours(null, undefined)).toBeUndefined();
});
