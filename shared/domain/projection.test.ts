import { describe, expect, it } from 'vitest';
import { UnreadableFile } from './failure';
import { PROJECTIONS, projectionWarning, requireStitched, tilingOf } from './projection';

const SPHERE = { width: 8192, height: 4096, projection: 'sphere' } as const;

describe('the tiling `auto`', () => {
  it('is that of a panorama of its own width for a file that says it is one', () => {
    expect(tilingOf({ kind: 'auto' }, SPHERE)).toEqual({ kind: 'pano', width: 8192 });
  });

  it('stays within the widths of panoramas', () => {
    expect(tilingOf({ kind: 'auto' }, { ...SPHERE, width: 300, height: 150 })).toMatchObject({ width: 512 });
    expect(tilingOf({ kind: 'auto' }, { ...SPHERE, width: 23000, height: 11500 })).toMatchObject({
      width: 16384,
    });
  });

  it.each([undefined, 'part'] as const)('is the whole image for a file that says %s', (projection) => {
    expect(tilingOf({ kind: 'auto' }, { ...SPHERE, projection })).toEqual({ kind: 'whole' });
  });

  it.each(PROJECTIONS.filter((one) => one !== 'sphere' && one !== 'part'))(
    'refuses a file that says %s by a sentence of its own, which names the way out',
    (projection) => {
      expect(() => tilingOf({ kind: 'auto' }, { ...SPHERE, projection })).toThrow(UnreadableFile);
      expect(() => tilingOf({ kind: 'auto' }, { ...SPHERE, projection })).toThrow(/format=whole/);
    },
  );

  it('refuses a panorama that is not twice as wide as high', () => {
    expect(() => tilingOf({ kind: 'auto' }, { ...SPHERE, height: 3000 })).toThrow(/contradicts itself/);
    expect(tilingOf({ kind: 'auto' }, { ...SPHERE, height: 4090 })).toMatchObject({ kind: 'pano' });
  });
});

describe('the tiling `guess`', () => {
  const GUESS = { kind: 'guess' } as const;
  const size = { width: 4096, height: 2048 };

  it('is that of a panorama for a file that says nothing and is large and twice as wide as high', () => {
    expect(tilingOf(GUESS, size)).toEqual({ kind: 'pano', width: 4096 });
    expect(tilingOf(GUESS, { width: 4095, height: 2048 })).toEqual({ kind: 'whole' });
    expect(tilingOf(GUESS, { width: 4096, height: 2160 })).toEqual({ kind: 'whole' });
  });

  it('is what the file says where it says something', () => {
    expect(tilingOf(GUESS, { ...size, projection: 'part' })).toEqual({ kind: 'whole' });
    expect(tilingOf(GUESS, SPHERE)).toEqual({ kind: 'pano', width: 8192 });
    expect(() => tilingOf(GUESS, { ...size, projection: 'cube' })).toThrow(UnreadableFile);
  });

  it('names no parameter in its refusals, because a user of the page cannot give one', () => {
    expect(() => tilingOf(GUESS, { ...size, projection: 'cube' })).toThrow(/panorama first\.$/);
    expect(() => tilingOf(GUESS, { ...SPHERE, height: 3000 })).toThrow(/correct its metadata\.$/);
  });
});

it('a tiling that a request names holds whatever the file says', () => {
  for (const projection of PROJECTIONS) {
    expect(tilingOf({ kind: 'whole' }, { ...SPHERE, projection })).toEqual({ kind: 'whole' });
  }
});

describe('a search that did not follow what the file says', () => {
  it('is a warning by the kind of the file, unless a panorama is searched as one', () => {
    expect(projectionWarning('sphere', { kind: 'auto' })).toBeUndefined();
    expect(projectionWarning('sphere', { kind: 'pano', width: 4096 })).toBeUndefined();
    expect(projectionWarning(undefined, { kind: 'whole' })).toBeUndefined();
    expect(projectionWarning('sphere', { kind: 'whole' })).toMatch(/panorama all around.*ordinary.*missed/);
    expect(projectionWarning('cube', { kind: 'pano', width: 4096 })).toMatch(/cube.*as a panorama.*missed/);
  });

  it('says of a part of a panorama that it is an ordinary image, and of no danger', () => {
    expect(projectionWarning('part', { kind: 'auto' })).toBe(
      'The source says that it shows a part of a panorama, and was searched as an ordinary image.',
    );
  });
});

describe('a file of a 360° camera', () => {
  it.each(['VID_20240101_00_001.insv', 'a.INSP', 'GS010001.360'])(
    'named %s is to be stitched first',
    (name) => {
      expect(() => requireStitched(name)).toThrow(/stitch it to a panorama/);
    },
  );

  it.each(['tour-360.jpg', '360', 'a.insv.mp4', ''])('is not what is named "%s"', (name) => {
    expect(() => requireStitched(name)).not.toThrow();
  });
});
