import { describe, expect, it } from 'vitest';
import { correctMotion, motionBox, motionDeviation, predictMotion, startMotion } from './kalman';

const at = (x: number) => ({ x1: x, y1: 100, x2: x + 50, y2: 160 });

describe('motion', () => {
  it('is estimated from evenly moving boxes, at any intervals', () => {
    let motion = startMotion(at(0));
    let seconds = 0;
    for (const step of [0.04, 0.02, 0.08, 0.04, 0.04, 0.1, 0.03, 0.04, 0.04, 0.05]) {
      seconds += step;
      motion = correctMotion(predictMotion(motion, step), at(200 * seconds));
    }
    expect(motion.x.velocity).toBeGreaterThan(180);
    expect(motion.x.velocity).toBeLessThan(220);
    expect(Math.abs(motionBox(predictMotion(motion, 0.2)).x1 - 200 * (seconds + 0.2))).toBeLessThan(5);
  });

  it('has a higher variance the longer there was no hit', () => {
    const motion = correctMotion(predictMotion(startMotion(at(0)), 0.04), at(1));
    const deviations = [0, 0.1, 0.2, 0.5].map((seconds) => motionDeviation(predictMotion(motion, seconds)).x);
    expect(deviations).toEqual(deviations.toSorted((a, b) => a - b));
    expect(deviations[3]).toBeGreaterThan(2 * deviations[0]!);
  });
});
