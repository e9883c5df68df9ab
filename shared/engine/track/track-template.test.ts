import { describe, expect, it } from 'vitest';
import { scene, SIZE, square } from '../../testing/moving-thing';
import { plainRaster } from '../../testing/rasters';
import { boxArea, intersectionArea, type Box } from '../../domain/boxes';
import type { Raster } from '../../domain/raster';
import { DEFAULT_THRESHOLDS } from '../../domain/options';
import { signFrame } from '../motion/scene-cut';
import { createTracker, type TrackedFrame } from './track';
import { TEMPLATE_TRACKING, TRACKING } from './track-limits';

const FRAME_US = 40_000;
const PLAIN = plainRaster(SIZE.width, SIZE.height, [90, 90, 90]);
/** The same for all frames, so that a large object in a small frame is no cut. */
const SIGNATURE = signFrame(PLAIN);
const framesIn = (seconds: number): number => Math.floor((seconds * 1e6) / FRAME_US);

interface Clip {
  /** Where the thing is in each frame. */
  readonly way: readonly Box[];
  readonly isFound: (index: number) => boolean;
  readonly score?: number;
  readonly paint?: (box: Box, index: number) => Raster;
}

const follow = ({ way, isFound, score = 0.9, paint = scene }: Clip): TrackedFrame[] => {
  const tracker = createTracker({ ...SIZE, thresholds: DEFAULT_THRESHOLDS });
  const settled = way.flatMap((box, index) =>
    tracker.push({
      index,
      timestampUs: index * FRAME_US,
      durationUs: FRAME_US,
      detections: isFound(index) ? [{ objectClass: 'face', score, box }] : [],
      signature: SIGNATURE,
      pixels: () => paint(box, index),
    }),
  );
  return [...settled, ...tracker.finish()];
};

const hiddenShare = ({ detections }: TrackedFrame, box: Box): number =>
  Math.max(0, ...detections.map((one) => intersectionArea(one.box, box) / boxArea(box)));

/** A way that no constant speed foretells. */
const bend = (count: number): Box[] =>
  Array.from({ length: count }, (_, i) => square(140 + 90 * Math.sin(i / 6), 80 + 50 * Math.cos(i / 5)));

describe('an object that detectors miss', () => {
  it('is hidden by its template after its last hit, wherever it turns', () => {
    const way = bend(30);
    const frames = follow({ way, isFound: (index) => index < 4 });
    way.forEach((box, index) => expect(hiddenShare(frames[index]!, box), `${index}`).toBeGreaterThan(0.9));
    expect(frames.at(-1)!.detections[0]!.origin).toBe('carried');
    expect(new Set(frames.flatMap(({ detections }) => detections.map(({ trackId }) => trackId))).size).toBe(
      1,
    );
  });

  it('is hidden by its template before its first hit', () => {
    const way = bend(26);
    const frames = follow({ way, isFound: (index) => index > 21 });
    way.forEach((box, index) => expect(hiddenShare(frames[index]!, box), `${index}`).toBeGreaterThan(0.9));
  });

  it('keeps its track when it is detected again', () => {
    const frames = follow({ way: bend(30), isFound: (index) => index < 4 || index > 20 });
    expect(frames.at(-1)!.detections.map(({ trackId }) => trackId)).toEqual([0]);
  });

  it('is followed for a limited time, and coasts from its last match', () => {
    const last = 3 + framesIn(TEMPLATE_TRACKING.forwardSeconds + TRACKING.coastSeconds);
    const frames = follow({
      way: Array.from({ length: last + 4 }, () => square(140, 80)),
      isFound: (i) => i < 4,
    });
    expect(frames[last - 1]!.detections).toHaveLength(1);
    expect(frames[last + 2]!.detections).toEqual([]);
  });

  it('is followed only shortly after a single weak hit', () => {
    const frames = follow({
      way: Array.from({ length: 60 }, () => square(140, 80)),
      isFound: (index) => index === 0,
      score: DEFAULT_THRESHOLDS.face,
    });
    const shown = frames.filter(({ detections }) => detections.length > 0).length;
    expect(shown).toBeLessThan(
      framesIn(0.3 * (TEMPLATE_TRACKING.forwardSeconds + TRACKING.coastSeconds)) + 3,
    );
  });

  it('is lost when it is occluded', () => {
    const gone = 5 + framesIn(TRACKING.coastSeconds);
    const frames = follow({
      way: Array.from({ length: gone + 5 }, () => square(140, 80)),
      isFound: (index) => index < 4,
      paint: (box, index) => (index < 4 ? scene(box) : PLAIN),
    });
    expect(frames[5]!.detections).toHaveLength(1);
    expect(frames[gone]!.detections).toEqual([]);
  });
});
