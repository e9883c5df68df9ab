import type { ApiClient } from '#shared/api/client';
import type { Edits } from '#shared/api/contract/schemas-edits';
import { US_PER_SECOND } from '#shared/domain/time-units';
import type { DrawnBox, FollowedBox, TimeRange, VideoEdits } from '#shared/domain/video-edits';
import { videoFrames } from './video-frames';

type ObjectEdit = NonNullable<Edits['objects']>[number];
type AreaEdit = NonNullable<Edits['areas']>[number];

/** Tolerance for players, whose times differ a little from a frame's own. */
const TOLERANCE_US = 1_000;

/** When each frame of a video begins, in µs. */
export const frameTimes = async (
  client: ApiClient<File>,
  id: string,
  frameCount: number,
): Promise<Float64Array> => {
  const times = new Float64Array(frameCount);
  for await (const { frames } of videoFrames(client, id, frameCount)) {
    for (const frame of frames) times[frame.id] = (frame.timestamp ?? 0) * US_PER_SECOND;
  }
  return times;
};

/** The last frame that begins at this moment or before it; the first one where none does. */
const frameAt = (times: Float64Array, timeUs: number): number =>
  Math.max(
    0,
    times.findLastIndex((start) => start <= timeUs + TOLERANCE_US),
  );

/** When a frame ends, in µs; the last one is taken for as long as the one before it. */
export const endOf = (times: Float64Array, frame: number): number => {
  const { [frame]: start = 0, [frame - 1]: before = -Infinity, [frame + 1]: next } = times;
  return next ?? 2 * start - before;
};

/** Frames that show some of the range … */
const framesOver = (times: Float64Array, { fromUs, untilUs }: TimeRange) => ({
  from: frameAt(times, fromUs),
  to: Math.max(frameAt(times, fromUs), frameAt(times, untilUs - 2 * TOLERANCE_US)),
});

/** … and frames that show nothing else: an object made visible must not be visible elsewhere. */
const framesWithin = (times: Float64Array, { fromUs, untilUs }: TimeRange) => {
  const from = times.findIndex((start) => start >= fromUs - TOLERANCE_US);
  let to = frameAt(times, untilUs);
  while (to >= from && endOf(times, to) > untilUs + TOLERANCE_US) to--;
  return from >= 0 && to >= from ? { from, to } : undefined;
};

const trackEdits = (
  { visibleTracks, ranges = [], decidedTracks = [] }: VideoEdits,
  times: Float64Array,
): ObjectEdit[] => {
  const withRanges = new Set(ranges.map(({ trackId }) => trackId));
  const whole = visibleTracks.filter((id) => !withRanges.has(id)).map((id) => ({ id, hidden: false }));
  const partly = ranges.flatMap(({ trackId: id, ...range }): ObjectEdit[] => {
    if (visibleTracks.includes(id)) return [{ id, hidden: true, ...framesOver(times, range) }];
    const frames = framesWithin(times, range);
    return frames ? [{ id, hidden: false, ...frames }] : [];
  });
  const named = new Set([...withRanges, ...visibleTracks]);
  const kept = decidedTracks.filter((id) => !named.has(id)).map((id) => ({ id, hidden: true }));
  return [...whole, ...partly, ...kept];
};

const areaEdit = ({ timeUs, box: { x1, y1, x2, y2 }, range }: DrawnBox, times: Float64Array): AreaEdit => ({
  type_label: 'license-plate',
  shape: 'box',
  bbox: [x1, y1, x2, y2],
  frame: frameAt(times, timeUs),
  ...(range && framesOver(times, range)),
});

const muteEdit = ({ fromUs, untilUs }: TimeRange): [number, number] => [
  fromUs / US_PER_SECOND,
  untilUs / US_PER_SECOND,
];

/** Edits of a video in the contract's words: by frames instead of times. */
export const contractVideoEdits = async (
  client: ApiClient<File>,
  id: string,
  frameCount: number,
  edits: VideoEdits,
): Promise<Edits> => {
  const times = await frameTimes(client, id, frameCount);
  return {
    objects: trackEdits(edits, times),
    areas: edits.drawn.map((box) => areaEdit(box, times)),
    ...(edits.show !== undefined && { show: edits.show }),
    ...(edits.mutesAudio && { audio: 'mute' as const }),
    ...(edits.muted && { mute: edits.muted.map(muteEdit) }),
  };
};

/** How the boxes were followed, by the ids that the page gave them. */
export const followedBoxes = ({ followed = [] }: Edits, { drawn }: VideoEdits): readonly FollowedBox[] =>
  followed.flatMap(({ area, from, seen_until: seenUntil, until }) => {
    const id = drawn[area]?.id;
    if (id === undefined) return [];
    return [
      {
        id,
        fromUs: from * US_PER_SECOND,
        seenUntilUs: seenUntil * US_PER_SECOND,
        untilUs: until * US_PER_SECOND,
      },
    ];
  });
