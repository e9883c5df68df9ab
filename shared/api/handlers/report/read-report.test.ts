import { expect, it } from 'vitest';
import type { ReportedDetection } from '../../../domain/plan';
import type { ObjectClass } from '../../../catalogue/classes';
import { createDetectionCounter } from './read-report';

const detected = (objectClass: ObjectClass, isAnonymised = true): ReportedDetection => ({
  id: 0,
  objectClass,
  score: 0.9,
  box: { x1: 0, y1: 0, x2: 1, y2: 1 },
  isAnonymised,
  color: [0, 0, 0],
});

it('frames with equal counts are one run, and frames without detections are listed', () => {
  const counter = createDetectionCounter();
  const frames = [[], [], [detected('face')], [detected('face')], [detected('face', false)], []];
  for (const frame of frames) counter.add(frame);
  const { counts, frames: listed } = counter.end();
  expect(counts.face).toEqual({ detected: 3, anonymised: 2 });
  expect(counts.person).toEqual({ detected: 0, anonymised: 0 });
  expect(listed.counts).toEqual([
    { first: 0, last: 1, detected: {}, anonymised: {} },
    { first: 2, last: 3, detected: { face: 1 }, anonymised: { face: 1 } },
    { first: 4, last: 4, detected: { face: 1 }, anonymised: {} },
    { first: 5, last: 5, detected: {}, anonymised: {} },
  ]);
  expect(listed.without_detections).toEqual([
    { first: 0, last: 1 },
    { first: 5, last: 5 },
  ]);
});

it('frames with as many objects of another class are another run', () => {
  const counter = createDetectionCounter();
  counter.add([detected('face')]);
  counter.add([detected('vehicle')]);
  expect(counter.end().frames.counts).toHaveLength(2);
});

it('text is counted only where it is selected or drawn', () => {
  const countsOf = (counter: ReturnType<typeof createDetectionCounter>) => counter.end().counts;
  expect(countsOf(createDetectionCounter(['face']))).not.toHaveProperty('text');
  expect(countsOf(createDetectionCounter(['face', 'text'])).text).toEqual({ detected: 0, anonymised: 0 });
  const drawn = createDetectionCounter(['face']);
  drawn.add([detected('text'), detected('text', false)]);
  expect(countsOf(drawn).text).toEqual({ detected: 2, anonymised: 1 });
});
