import { describe, expect, it } from 'vitest';
import { xmpPacket } from '../../testing/xmp-packets';
import { checkMp4 } from './check-mp4';
import { bothProjections } from './panorama-boxes';
import { projectionOfXmp } from './panorama-xmp';

const SPHERE = 'GPano:ProjectionType="equirectangular"';
const FULL = 'GPano:FullPanoWidthPixels="8000" GPano:FullPanoHeightPixels="4000"';
const area = (width: number, height: number, left: number, top: number): string =>
  [
    `GPano:CroppedAreaImageWidthPixels="${width}" GPano:CroppedAreaImageHeightPixels="${height}"`,
    `GPano:CroppedAreaLeftPixels="${left}" GPano:CroppedAreaTopPixels="${top}"`,
  ].join(' ');

describe('GPano', () => {
  it.each([
    ['a sphere', SPHERE, 'sphere'],
    ['a sphere with all of its area', `${SPHERE} ${FULL} ${area(8000, 4000, 0, 0)}`, 'sphere'],
    ['a part of it', `${SPHERE} ${FULL} ${area(8000, 2000, 0, 1000)}`, 'part'],
    ['a part that reaches out of it', `${SPHERE} ${FULL} ${area(8000, 4000, 0, 1000)}`, 'contradictory'],
    ['a cylinder', 'GPano:ProjectionType="cylindrical"', 'part'],
    ['the images of lenses', 'GPano:ProjectionType="fisheye"', 'lenses'],
    ['the faces of a cube', 'GPano:ProjectionType="cubemap"', 'cube'],
    ['no projection', FULL, undefined],
  ] as const)('says that a file shows %s', (_name, attributes, expected) => {
    expect(projectionOfXmp(new TextEncoder().encode(xmpPacket(attributes)))).toBe(expected);
  });
});

it('two places that say different things contradict each other', () => {
  expect(bothProjections('sphere', 'cube')).toBe('contradictory');
  expect(bothProjections('sphere', 'sphere')).toBe('sphere');
  expect(bothProjections(undefined, 'part')).toBe('part');
  expect(bothProjections('part', undefined)).toBe('part');
});

describe('a video of a camera with two lenses', () => {
  const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
    const body = Buffer.concat(content);
    const head = Buffer.from(`\0\0\0\0${type}`, 'latin1');
    head.writeUInt32BE(head.length + body.length);
    return Buffer.concat([head, body]);
  };
  const track = (name: string): Uint8Array =>
    box('trak', box('mdia', box('hdlr', Buffer.from(`${'\0'.repeat(8)}vide${'\0'.repeat(12)}${name}\0`))));
  const check = (...tracks: readonly Uint8Array[]) => {
    const index = box('moov', box('mvhd', new Uint8Array(16)), ...tracks);
    const bytes = Buffer.concat([box('ftyp', Buffer.from('isom')), index]);
    return checkMp4({ sizeBytes: bytes.length, read: async (from, to) => bytes.subarray(from, to) }, 100);
  };

  it('is to be stitched first, also under another name', async () => {
    await expect(check(track('GoPro H.265'), track('GoPro H.265'))).rejects.toThrow(
      /stitch it to a panorama/,
    );
  });

  it('is none with one track of the camera, or with two of a program', async () => {
    expect((await check(track('GoPro H.265'), track('VideoHandler'))).tracks).toHaveLength(2);
    expect((await check(track('VideoHandler'), track('VideoHandler'))).tracks).toHaveLength(2);
  });
});
