import { describe, expect, it } from 'vitest';
import { defaultImageOptions } from '../../domain/options';
import type { Detection } from '../../domain/detection';
import { moveBox } from '../../domain/boxes';
import { coverOf } from '../../testing/hidden';
import { panoramaOf, showsThing, type SphereThing } from '../../testing/panoramas';
import { boxOf, found } from '../../testing/plans';
import { splitAtSeam } from '../fusion/seam';
import { boundsFromView, type PoleView } from '../pixels/pole-view';
import { planRedaction } from '../redact/plan-redaction';
import { createFollower } from './follow';
import type { FollowedDetection } from './follow-tracks';

const WIDTH = 256;
const SIZE = { width: WIDTH, height: WIDTH / 2 };
const OPTIONS = defaultImageOptions({ format: { kind: 'pano', width: 512 }, bbox: true });
const FRAME_US = 40_000;
/** Noise, so that templates have something to match. */
const ground = (x: number, y: number) => {
  const value = 60 + ((x * 37 + y * 91 + x * y) % 120);
  return [value, value, value] as const;
};
const thingAt = (longitude: number, latitude: number, halfAngle: number): SphereThing => ({
  ...{ longitude, latitude, halfAngle },
  at: (x, y) => [40 + 90 * (x + 1), 40 + 90 * (y + 1), 250],
});

interface Step {
  readonly thing: SphereThing;
  readonly detections: readonly Detection[];
}

/** Follows a clip. @returns number of frames in which a px of the thing stays visible, and the tracks */
const follow = (steps: readonly Step[]): { readonly leaking: number; readonly tracks: readonly number[] } => {
  const follower = createFollower({ noObjectTracking: false, options: OPTIONS }, SIZE);
  const frames = steps.flatMap(({ thing, detections }, index) => {
    const times = { index, timestampUs: index * FRAME_US, durationUs: FRAME_US };
    return follower.push({ ...times, raster: panoramaOf(WIDTH, [thing], ground) }, detections);
  });
  const all = [...frames, ...follower.finish()];
  expect(all.map(({ index }) => index)).toEqual(steps.map((_, index) => index));
  const leaks = ({
    index,
    detections,
  }: {
    index: number;
    detections: readonly FollowedDetection[];
  }): boolean => {
    const halves = detections.flatMap((one) => splitAtSeam(one, WIDTH));
    const cover = coverOf(planRedaction(SIZE, halves, new Map(), OPTIONS));
    return cover.some(
      (alpha, at) => alpha < 255 && showsThing(steps[index]!.thing, at % WIDTH, Math.floor(at / WIDTH), SIZE),
    );
  };
  return {
    leaking: all.filter(leaks).length,
    tracks: [...new Set(all.flatMap(({ detections }) => detections.map(({ trackId = -1 }) => trackId)))],
  };
};

describe('a face that walks once around the camera', () => {
  const half = 9;
  const walk = (isFound: (index: number, longitude: number) => boolean): Step[] =>
    Array.from({ length: 73 }, (_, index) => {
      const longitude = (300 + 5 * index) % 360;
      const [x, halfPx] = [(longitude / 360) * WIDTH, (half / 360) * WIDTH];
      const box = boxOf(x - halfPx, 64 - halfPx, x + halfPx, 64 + halfPx);
      const inside = box.x1 < 0 ? moveBox(box, WIDTH, 0) : box;
      return {
        thing: thingAt(longitude, 0, half),
        detections: isFound(index, longitude) ? [found('face', inside)] : [],
      };
    });

  it('is one track, hidden in all frames, where it is found in every fourth', () => {
    expect(follow(walk((index) => index % 4 === 0))).toEqual({ leaking: 0, tracks: [0] });
  });

  it('is one track where it is not found on the seam', () => {
    const isAside = (_index: number, longitude: number): boolean => longitude > 12 && longitude < 348;
    expect(follow(walk(isAside))).toEqual({ leaking: 0, tracks: [0] });
  });
});

describe('a person who walks over the pole', () => {
  it('is one track, hidden in all frames, also in those without a detection', () => {
    const view: PoleView = { pole: 'bottom', size: SIZE };
    const centre = WIDTH / 8;
    const steps = Array.from({ length: 31 }, (_, index): Step => {
      // From 15° before the pole to 15° behind it.
      const way = index - 15;
      const thing = thingAt(way < 0 ? 40 : 220, -90 + Math.abs(way), 10);
      const [direction, distance, halfAngle] = [thing.longitude, Math.abs(way), thing.halfAngle].map(
        (degrees) => (degrees * Math.PI) / 180,
      ) as [number, number, number];
      const radius = centre * Math.tan(distance);
      const [u, v] = [centre + radius * Math.sin(direction), centre - radius * Math.cos(direction)];
      // The view shows a turned square.
      const half = 1.6 * centre * Math.tan(halfAngle);
      const box = boxOf(u - half, v - half, u + half, v + half);
      const atPole = { pole: view.pole, box };
      const person = { ...found('person', boundsFromView(view, box)), atPole };
      return { thing, detections: index % 3 === 0 ? [person] : [] };
    });
    expect(follow(steps)).toEqual({ leaking: 0, tracks: [2] });
  });
});
