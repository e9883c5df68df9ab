import { describe, expect, it } from 'vitest';
import { xmpPacket } from '../../testing/xmp-packets';
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
