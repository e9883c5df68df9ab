import { describe, expect, it } from 'vitest';
import type { VideoFormat } from '../../catalogue/formats';
import type { ConversionFacts } from '../../ports/video';
import { createConversionLosses } from './conversion-losses';
import type { StatedLength } from '../formats/stated-length';

const FRAME_US = 40_000;
const WHOLE: ConversionFacts = {
  videoBytes: undefined,
  isDamaged: false,
  undecodedFrames: 0,
  durationS: 4,
  endS: 4,
  size: undefined,
  unreadableAudio: [],
};
const losses = (
  format: VideoFormat,
  changed: Partial<ConversionFacts>,
  {
    frames = 100,
    leftOut = [],
    stated,
  }: { frames?: number; leftOut?: readonly number[]; stated?: StatedLength } = {},
) => {
  const counter = createConversionLosses({ ...WHOLE, ...changed }, format, stated);
  for (let index = 0; index < frames; index++) {
    if (!leftOut.includes(index)) counter.add({ timestampUs: index * FRAME_US, durationUs: FRAME_US });
  }
  return [counter.lost(0), counter.isUncertain()];
};
const CUT = { isDamaged: true, endS: 2.44 } as const;

describe('the lost frames of a conversion', () => {
  it('are those between the last frame and the stated end, which is an estimate', () => {
    expect(losses('flv', CUT, { frames: 61 })).toEqual([39, true]);
    expect(losses('matroska', CUT, { frames: 61, leftOut: [7] })).toEqual([40, true]);
    expect(losses('flv', { ...CUT, durationS: 4.03 }, { frames: 61 })).toEqual([39, true]);
  });

  it('are none at the end if another track lasts to the stated end', () => {
    expect(losses('flv', { isDamaged: true }, { frames: 61 })).toEqual([0, false]);
    expect(losses('flv', { isDamaged: true }, { frames: 61, leftOut: [3, 4] })).toEqual([2, false]);
  });

  it('are none in a file without damage', () => {
    expect(losses('matroska', { endS: 2.44 }, { frames: 61, leftOut: [3] })).toEqual([0, false]);
    expect(losses('flv', { durationS: 4.2 })).toEqual([0, false]);
  });

  it('are counted in a Flash file that ends between two packets, which causes no message', () => {
    expect(losses('flv', { endS: 2.4 }, { frames: 60 })).toEqual([40, true]);
  });

  it('are counted by a number of frames in the header, which is certain', () => {
    const stated = { frames: 100, isCutOff: true };
    expect(losses('avi', { durationS: 2.4, endS: 2.4 }, { frames: 60, stated })).toEqual([40, false]);
  });

  it('are counted by a duration in the header that ffmpeg ignores', () => {
    const stated = { durationS: 4, isCutOff: true };
    expect(losses('asf', { durationS: undefined, endS: 2.4 }, { frames: 60, stated })).toEqual([40, true]);
  });

  it('are unknown if the file states no length or has no constant frame rate', () => {
    expect(losses('mpegts', CUT, { frames: 61 })).toEqual([0, true]);
    const uneven = Array.from({ length: 100 }, (_, index) => index).filter(
      (index) => index % 3 === 0 || index % 7 === 0,
    );
    expect(losses('flv', { isDamaged: true }, { leftOut: uneven })[1]).toBe(true);
  });
});
