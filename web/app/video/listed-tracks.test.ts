import { expect, it } from 'vitest';
import type { FoundObject } from '../../state/media-item';
import { tracksByLength } from './listed-tracks';

const track = (id: number, objectClass: FoundObject['objectClass'], frames: number): FoundObject => ({
  id,
  objectClass,
  score: 0.9,
  x: 0,
  y: 0,
  width: 10,
  height: 10,
  seen: { firstS: 0, lastS: 1, bestS: 0, frames },
});

it('tracks are listed by length, and text after all others', () => {
  const tracks = tracksByLength([
    track(1, 'text', 900),
    track(2, 'face', 4),
    track(3, 'text', 80),
    track(4, 'license-plate', 30),
  ]);
  expect(tracks.map(({ id }) => id)).toEqual([4, 2, 1, 3]);
});
