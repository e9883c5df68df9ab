import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tagOfBytes } from '../tasks/base/digest';
import { createFakeSystem } from '../testing/fake-system';
import { jsonOf, mustRefuse } from '../testing/conformance';
import { createInProcessHost } from '../testing/in-process-host';
import { randomCases } from '../testing/random-cases';
import { editsPath, putEdits } from '../testing/conformance-edits';
import { get, uploadedId } from '../testing/conformance-steps';
import {
  type FrameTime,
  type HiddenIn,
  AREA_BOX,
  frameTimes,
  hostWith,
  TRACK,
} from '../testing/edited-frames';

/** The same cases in each run, so that a failure is that of a change. */
const RUNS = { numRuns: randomCases(60), seed: 7 };
const TOLERANCE_US = 1_000;

/** First and last frame of a range, each of which may be absent. */
interface Frames {
  readonly from?: number;
  readonly to?: number;
}
interface Case extends Frames {
  readonly times: readonly FrameTime[];
}
const cases = (times = frameTimes()): fc.Arbitrary<Case> =>
  times
    .chain((all) => fc.tuple(fc.constant(all), fc.nat(all.length - 1), fc.nat(all.length - 1), fc.nat(3)))
    .map(([all, one, other, given]) => ({
      times: all,
      ...(given !== 1 && { from: Math.min(one, other) }),
      ...(given !== 2 && { to: Math.max(one, other) }),
    }));

const rangeOf = ({ times, from, to }: Case): Frames => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to: Math.min(to, times.length - 1) }),
});
const endOf = ({ timestampUs, durationUs }: FrameTime): number => timestampUs + durationUs;
/** The range in µs; the last frame lasts to the end of the video. */
const span = ({ times, from = 0, to = times.length - 1 }: Case) => ({
  fromUs: times[from]!.timestampUs,
  untilUs: times[to + 1]?.timestampUs ?? Infinity,
});

const isWithin = (frame: FrameTime, range: ReturnType<typeof span>): boolean =>
  frame.timestampUs >= range.fromUs - TOLERANCE_US && endOf(frame) <= range.untilUs + TOLERANCE_US;
const isNear = (frame: FrameTime, range: ReturnType<typeof span>): boolean =>
  endOf(frame) + frame.durationUs > range.fromUs && frame.timestampUs - frame.durationUs <= range.untilUs;

const render = async (times: readonly FrameTime[], edits: object): Promise<readonly HiddenIn[]> => {
  const { send, id, hidden } = await hostWith(times);
  expect((await putEdits(send, id, edits)).status).toBe(200);
  return hidden();
};
const check = (each: fc.Arbitrary<Case>, rule: (one: Case) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(each, rule), RUNS);

describe('edits by seconds', () => {
  it('hide and show the same as edits that name the frames which begin at these times', () =>
    check(cases(), async (one) => {
      const { times, from = 0, to = times.length - 1 } = one;
      const end = times[to + 1];
      const range = {
        start: times[from]!.timestampUs / 1e6,
        ...(end && { end: end.timestampUs / 1e6 }),
      };
      for (const edit of [{ hidden: false }, { hidden: true }, { method: 'blacken' }]) {
        const object = { id: TRACK, ...edit };
        const area = { type_label: 'face', shape: 'box', bbox: AREA_BOX } as const;
        const byFrames = { objects: [{ ...object, from, to }], areas: [{ ...area, frame: from, from, to }] };
        const bySeconds = {
          objects: [{ ...object, ...range }],
          areas: [{ ...area, at: range.start, ...range }],
        };
        expect(await render(times, bySeconds)).toEqual(await render(times, byFrames));
      }
    }));

  it('are returned as they were sent', async () => {
    const { send, id } = await hostWith([{ timestampUs: 0, durationUs: 40_000 }]);
    const objects = [{ start: 0.01, id: TRACK, end: 0.01, hidden: false }];
    const areas = [{ at: 9, type_label: 'face', shape: 'box', bbox: AREA_BOX }];
    expect((await putEdits(send, id, { objects, areas })).status).toBe(200);
    const { followed: _made, ...edits } = jsonOf<{ followed: unknown }>(await get(send, editsPath(id)));
    expect(JSON.stringify(edits)).toBe(JSON.stringify({ objects, areas }));
  });

  it.each([
    [{ id: TRACK, from: 0, end: 1 }, '`objects[0].end` must be absent next to from'],
    [{ id: TRACK, start: 2, end: 1 }, '`objects[0].end` must be at or after its start'],
    [{ id: TRACK, start: -1 }, '`objects[0].start`'],
    [{ id: TRACK, end: 2e9 }, '`objects[0].end`'],
  ])('that are wrong are refused: %j', async (object, sentence) => {
    const { send, id } = await hostWith([{ timestampUs: 0, durationUs: 40_000 }]);
    mustRefuse(await putEdits(send, id, { objects: [object] }), 422, sentence);
  });

  it('are refused for images', async () => {
    const { send } = createInProcessHost();
    const id = await uploadedId(send);
    for (const field of ['start', 'end']) {
      const edits = { objects: [{ id: 0, [field]: 1 }] };
      mustRefuse(await putEdits(send, id, edits), 422, `objects[0].${field}\` is available only for videos`);
    }
  });
});

describe('edits by frame numbers', () => {
  it('show a track in exactly the frames that lie completely in their range', () =>
    check(cases(), async (one) => {
      for (const edit of [{ hidden: false }, { deleted: true }, { hidden: false, method: 'blacken' }]) {
        const hidden = await render(one.times, { objects: [{ id: TRACK, ...edit, ...rangeOf(one) }] });
        const expected = one.times.map((frame) => !isWithin(frame, span(one)));
        expect(hidden.map(({ face }) => face)).toEqual(expected);
      }
    }));

  it('show a track in all frames of their range and in no other, where frames last until the next', () =>
    check(cases(frameTimes(fc.constant(1))), async (one) => {
      const { times, from = 0, to = times.length - 1 } = one;
      const hidden = await render(times, { objects: [{ id: TRACK, hidden: false, ...rangeOf(one) }] });
      expect(hidden.map(({ face }) => face)).toEqual(times.map((_, index) => index < from || index > to));
    }));

  it('never show a track in another frame, whatever fractions of a microsecond frames begin at', () =>
    check(cases(frameTimes(fc.constant(1))), async (one) => {
      const times = one.times.map(({ timestampUs, durationUs }) => ({
        timestampUs: timestampUs / 1.7,
        durationUs: durationUs / 1.7,
      }));
      const { from = 0, to = times.length - 1 } = one;
      const range = rangeOf(one);
      const shown = await render(times, { objects: [{ id: TRACK, hidden: false, ...range }] });
      expect(shown.map(({ face }) => face)).toEqual(times.map((_, index) => index < from || index > to));
      const hidden = await render(times, { objects: [{ id: TRACK, hidden: true, ...range }] });
      expect(hidden.slice(from, to + 1).every(({ face }) => face)).toBe(true);
    }));

  it('hide a track in their range and in its neighbours, and show it elsewhere', () =>
    check(cases(), async (one) => {
      const hidden = await render(one.times, { objects: [{ id: TRACK, hidden: true, ...rangeOf(one) }] });
      expect(hidden.map(({ face }) => face)).toEqual(one.times.map((frame) => isNear(frame, span(one))));
    }));

  it('give a track a method in the frames that begin in their range, and hide it everywhere', () =>
    check(cases(), async (one) => {
      const { from = 0, to = one.times.length - 1 } = one;
      const hidden = await render(one.times, {
        objects: [{ id: TRACK, method: 'blacken', ...rangeOf(one) }],
      });
      expect(hidden.map(({ face, method }) => [face, method])).toEqual(
        one.times.map((_, index) => [true, index >= from && index <= to ? 'blacken' : undefined]),
      );
    }));

  it('hide an area in their range, which is extended to the frame on which it was drawn', () =>
    check(cases(), async (one) => {
      const { times, from = 0, to = times.length - 1 } = one;
      const frame = (from * 7 + to * 3) % times.length;
      const area = { type_label: 'face', shape: 'box', bbox: AREA_BOX, frame, ...rangeOf(one) };
      const hidden = await render(times, { areas: [area] });
      const extended = span({ times, from: Math.min(from, frame), to: Math.max(to, frame) });
      expect(hidden.map((each) => each.area)).toEqual(times.map((each) => isNear(each, extended)));
    }));

  it('are returned as they were sent, and so is their tag', () =>
    check(cases(), async (one) => {
      const { send, id } = await hostWith(one.times);
      const objects = [{ id: TRACK, hidden: false, ...rangeOf(one) }];
      const areas = [{ type_label: 'face', shape: 'box', bbox: AREA_BOX, frame: 0, ...rangeOf(one) }];
      await putEdits(send, id, { areas, objects, reviewer: 'A' });
      const answer = await get(send, editsPath(id));
      const { followed, ...edits } = jsonOf<{ followed: unknown }>(answer);
      expect(followed).toHaveLength(1);
      const text = JSON.stringify({ reviewer: 'A', objects, areas });
      expect(JSON.stringify(edits)).toBe(text);
      const tag = await tagOfBytes(new TextEncoder().encode(text), createFakeSystem());
      expect(answer.headers['etag']).toBe(`"${tag}"`);
    }));
});
