import { describe, expect, it } from 'vitest';
import { rebuildCodecConfig } from './codec-config';

const latin = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));
const bytesOf = (bits: string): number[] =>
  Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    parseInt(bits.slice(at * 8, at * 8 + 8).padEnd(8, '0'), 2),
  );
const rebuilt = (codec: string, config: readonly number[]) => {
  const kept = rebuildCodecConfig(codec, Uint8Array.from(config));
  return kept && { bytes: kept.bytes && [...kept.bytes], removed: kept.removed };
};
const MARK = latin('LEAK');

describe('the configuration of AAC', () => {
  const STEREO = [0x11, 0x90];

  it.each([
    ['low complexity', STEREO],
    ['low complexity, without replication', [0x11, 0x90, 0x56, 0xe5, 0x00]],
    ['replicated bands, stated at the end', [0x13, 0x10, 0x56, 0xe5, 0x98]],
    ['replicated bands and stereo, stated at the end', [0x13, 0x08, 0x56, 0xe5, 0x9d, 0x48, 0x80]],
    ['replicated bands, stated at the beginning', [0x2b, 0x11, 0x88, 0x00]],
    ['parametric stereo, stated at the beginning', [0xeb, 0x09, 0x88, 0x00]],
    ['a rate of its own', bytesOf(`00010${'1111'}${(50_000).toString(2).padStart(24, '0')}0010000`)],
  ])('keeps all its fields and nothing behind them: %s', (_name, config) => {
    expect(rebuilt('aac', config)).toEqual({ bytes: config, removed: [] });
    expect(rebuilt('aac', [...config, ...MARK])).toEqual({ bytes: config, removed: ['other'] });
  });

  it('keeps a layout of channels without its comment', () => {
    const layout = `0000${'01'}${'0011'}${'0001'}${'0000'}${'0000'}${'00'}${'000'}${'0000'}000${'10000'}`;
    const head = bytesOf(`00010${'0011'}${'0000'}000${layout}`);
    expect(rebuilt('aac', [...head, 4, ...MARK])).toEqual({ bytes: [...head, 0], removed: ['text'] });
    expect(rebuilt('aac', [...head, 0, ...MARK])).toEqual({ bytes: [...head, 0], removed: ['other'] });
    expect(rebuilt('aac', [...head, 5, ...MARK])).toBeUndefined();
  });

  it('is not rebuilt for other profiles, or if it ends early', () => {
    expect(rebuilt('aac', [0x09, 0x90])).toBeUndefined();
    expect(rebuilt('aac', [0xf8, 0xe8, 0x50, 0x00])).toBeUndefined(); // ELD
    expect(rebuilt('aac', [0x11])).toBeUndefined();
    expect(rebuilt('aac', [])).toBeUndefined();
  });
});

describe('the configuration of FLAC', () => {
  const block = (type: number, content: readonly number[]): number[] => [
    type,
    0,
    0,
    content.length,
    ...content,
  ];
  const comment = (text: string): number[] => [text.length, 0, 0, 0, ...latin(text)];
  const stream = Array.from({ length: 34 }, (_, index) => index);
  const only = [...latin('fLaC'), ...block(0x80, stream)];

  it('keeps the stream information alone', () => {
    const comments = [...comment(''), 2, 0, 0, 0, ...comment('LOCATION=52.5'), ...comment('TITLE=LEAK')];
    const blocks = [block(1, [0, 0]), block(3, MARK), block(4, comments), block(0x86, MARK)].flat();
    expect(rebuilt('flac', [...latin('fLaC'), ...block(0, stream), ...blocks])).toEqual({
      bytes: only,
      removed: ['place', 'text', 'thumbnail'],
    });
    expect(rebuilt('flac', only)).toEqual({ bytes: only, removed: [] });
    expect(rebuilt('flac', [...only, ...MARK])).toEqual({ bytes: only, removed: ['other'] });
    const padded = [...latin('fLaC'), ...block(0, stream), ...block(0x81, MARK)];
    expect(rebuilt('flac', padded)).toEqual({ bytes: only, removed: ['other'] });
  });

  it('is not rebuilt without stream information', () => {
    expect(rebuilt('flac', [...latin('fLaC'), ...block(0x84, stream)])).toBeUndefined();
    expect(rebuilt('flac', only.slice(0, 41))).toBeUndefined();
    expect(rebuildCodecConfig('flac', undefined)).toBeUndefined();
  });
});

describe('the configuration of Opus', () => {
  const head = (family: number, ...table: readonly number[]): number[] => [
    ...[...latin('OpusHead'), 1, 2, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, family],
    ...table,
  ];

  it('keeps the identification header alone', () => {
    for (const config of [head(0), head(1, 1, 1, 0, 1)]) {
      expect(rebuilt('opus', [...config, ...MARK])).toEqual({ bytes: config, removed: ['other'] });
      expect(rebuilt('opus', config)).toEqual({ bytes: config, removed: [] });
    }
  });

  it('is not rebuilt if it ends early or is of an unknown family', () => {
    expect(rebuilt('opus', head(1, 1, 1, 0))).toBeUndefined();
    expect(rebuilt('opus', head(3, 1, 1, 0, 1))).toBeUndefined();
    expect(rebuilt('opus', head(0).slice(0, 18))).toBeUndefined();
  });
});

describe('the configuration of codecs that need none', () => {
  it.each(['mp3', 'ac3', 'eac3', 'pcm-s16'])('is left out: %s', (codec) => {
    expect(rebuildCodecConfig(codec, Uint8Array.from(MARK))).toEqual({
      bytes: undefined,
      removed: ['other'],
    });
    expect(rebuildCodecConfig(codec, undefined)).toEqual({ bytes: undefined, removed: [] });
  });
});
