import { describe, expect, it } from 'vitest';
import { readPeerOptions } from './peer-options';

describe('the flags of the comparison', () => {
  it('are all optional', () => {
    expect(readPeerOptions([])).toEqual({
      limit: Infinity,
      qualities: ['fast', 'balanced'],
      classes: ['face'],
      photoFolders: [],
      clips: undefined,
      frames: 0,
      rounds: 3,
    });
  });

  it('accept several presets, classes, folders and clips', () => {
    const presets = '--quality fast --quality balanced --classes face --classes license-plate';
    const args = `${presets} --photos a --photos b --clips c.mp4 --clips d.mp4`;
    expect(readPeerOptions(args.split(' '))).toMatchObject({
      qualities: ['fast', 'balanced'],
      classes: ['face', 'license-plate'],
      photoFolders: ['a', 'b'],
      clips: ['c.mp4', 'd.mp4'],
    });
  });

  it('skip clips on request', () => {
    expect(readPeerOptions(['--clips', 'none']).clips).toEqual([]);
  });

  it.each([
    ['--limit=-1', '--limit takes a whole number from 0 on, not "-1".'],
    ['--rounds=0', '--rounds takes a whole number from 1 on, not "0".'],
    ['--rounds=Infinity', '--rounds takes a whole number from 1 on, not "Infinity".'],
    ['--quality=best', 'There is no quality preset "best"; presets are fast, balanced.'],
    ['--classes=dog', 'There is no class "dog"; classes are face, license-plate, person, vehicle, text.'],
    ['--speed', "Unknown option '--speed'"],
  ])('are refused with one sentence: %s', (flag, sentence) => {
    expect(() => readPeerOptions([flag])).toThrow(sentence);
  });
});
