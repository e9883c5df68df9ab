import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callOverHttp, createApiClient } from '#shared/api/client';
import { AREA_BOX, frameTimes, hostWith, TRACK, type FrameTime } from '#shared/testing/edited-frames';
import { randomCases } from '#shared/testing/random-cases';
import { videoResultWith } from '../testing/items';
import { createAnonymiser } from './api-anonymiser';
import { NO_ITEM_EDITS, type ItemEdits } from './edit-history';
import { withDrawn, withDrawnRange, withRange, withTrack } from './video-edits';

/** The same cases in each run, so that a failure is that of a change. */
const RUNS = { numRuns: randomCases(60), seed: 7 };
const TOLERANCE_S = 0.001;

/** A moment at any place of the video, or a little behind its end, in seconds. */
const moments = (times: readonly FrameTime[]): fc.Arbitrary<number> => {
  const { timestampUs, durationUs } = times.at(-1)!;
  const anywhere = fc.integer({ min: 0, max: Math.round(timestampUs + 1.5 * durationUs) });
  // Players stop on frames.
  const onFrame = fc.constantFrom(...times.map((frame) => Math.round(frame.timestampUs)));
  return fc.oneof(anywhere, onFrame).map((us) => us / 1e6);
};
interface Case {
  readonly times: readonly FrameTime[];
  readonly range: readonly [start: number, end: number];
  readonly at: number;
}
const cases = frameTimes(fc.constant(1)).chain((times) =>
  fc
    .tuple(moments(times), moments(times), moments(times))
    .map(([one, other, at]): Case => ({ times, range: [Math.min(one, other), Math.max(one, other)], at })),
);
const check = (rule: (one: Case) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(cases, rule), RUNS);

const startOf = ({ timestampUs }: FrameTime): number => timestampUs / 1e6;
const endOf = ({ timestampUs, durationUs }: FrameTime): number => (timestampUs + durationUs) / 1e6;
const rangeOf = ([start, end]: Case['range']) => ({ start, end });

/** What the engine hides after the page has sent these edits. */
const apply = async (times: readonly FrameTime[], edits: ItemEdits) => {
  const { send, id, hidden } = await hostWith(times);
  const way = callOverHttp<File>(({ method, url, headers, body }) =>
    send({ method, url, headers, ...(body && { body }) }),
  );
  const anonymiser = createAnonymiser(createApiClient(way), {});
  const { video, ...result } = videoResultWith(id, []);
  const facts = { ...video!, frameCount: times.length };
  await anonymiser.editVideo(
    { ...result, video: facts },
    edits,
    () => undefined,
    new AbortController().signal,
  );
  return hidden();
};

describe('edits of a video in the page', () => {
  it('show a track in no frame that is shown outside of the range that was asked for', () =>
    check(async ({ times, range }) => {
      const hidden = await apply(times, withRange(NO_ITEM_EDITS, TRACK, rangeOf(range)));
      const [start, end] = range;
      for (const [index, frame] of times.entries()) {
        const isInside = startOf(frame) >= start - TOLERANCE_S && endOf(frame) <= end + TOLERANCE_S;
        if (!isInside) expect(hidden[index]?.face, `frame ${index}`).toBe(true);
      }
    }));

  it('hide a track in all frames that touch the range that was asked for', () =>
    check(async ({ times, range }) => {
      const visible = withTrack(NO_ITEM_EDITS, TRACK, false);
      const hidden = await apply(times, withRange(visible, TRACK, rangeOf(range)));
      const [start, end] = range;
      for (const [index, frame] of times.entries()) {
        if (endOf(frame) > start && startOf(frame) < end) expect(hidden[index]?.face).toBe(true);
      }
    }));

  it('hide a drawn area on the frame on which it was drawn, and in all frames of its range', () =>
    check(async ({ times, range, at }) => {
      const drawn = withDrawn(NO_ITEM_EDITS, { at, bbox: AREA_BOX });
      const alone = await apply(times, drawn);
      const ranged = await apply(times, withDrawnRange(drawn, -1, rangeOf(range)));
      const shown = times.findLastIndex((frame) => startOf(frame) <= at + TOLERANCE_S);
      const on = Math.max(0, shown);
      expect([alone[on]?.area, ranged[on]?.area]).toEqual([true, true]);
      const [start, end] = range;
      for (const [index, frame] of times.entries()) {
        if (endOf(frame) > start && startOf(frame) < end) expect(ranged[index]?.area).toBe(true);
      }
    }));
});
