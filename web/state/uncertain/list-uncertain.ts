import { thresholdIn } from '#shared/domain/options';
import { boxHeight, boxWidth, toBbox, unionBox, type Box } from '#shared/domain/boxes';
import { US_PER_SECOND } from '#shared/domain/plan';
import { uncertaintyOf } from '#shared/domain/uncertain';
import type { FoundObject, MediaItem, MediaResult, SeenSpan, TrackCourse } from '../media-item';
import { isTrack, isTrackDecided, type DrawnBox, type TimeRange } from '../video-edits';
import type { UncertainObject } from './uncertain-object';
import { editOf } from '../edit-history';

/** Of files that did not change: one decision changes one of hundreds. */
const known = new WeakMap<MediaItem, readonly UncertainObject[]>();

const uncertainObjectsOf = (item: MediaItem): readonly UncertainObject[] => {
  const before = known.get(item);
  if (before) return before;
  const { status, result, decided = [] } = item;
  const isEditable = status === 'done' && result?.hasImage === true;
  const all = isEditable ? [...uncertainInImage(item), ...uncertainInVideo(item)] : [];
  const open = all.filter(({ key }) => !decided.includes(key));
  known.set(item, open);
  return open;
};

/**
 * Lists what a person should check in all finished files, the least certain first.
 *
 * Equally uncertain objects keep the order of their files. Decided ones are left out.
 */
export const rankUncertain = (items: readonly MediaItem[]): readonly UncertainObject[] =>
  items.flatMap(uncertainObjectsOf).sort((a, b) => b.uncertainty - a.uncertainty);

/** How many objects the list has. */
export const countUncertain = (items: readonly MediaItem[]): number =>
  items.reduce((sum, item) => sum + uncertainObjectsOf(item).length, 0);

/**
 * Detections and candidates of an image whose score is near the threshold of their class. Those that a person has
 * changed before are decided already.
 */
export const uncertainInImage = ({
  id: fileId,
  result,
  settings,
  edits,
}: MediaItem): readonly UncertainObject[] => {
  const found = result?.editable?.found;
  if (!found || !settings) return [];
  return found.flatMap(({ id, detection: { objectClass, score, box } }) => {
    const distance = score - thresholdIn(settings.thresholds, objectClass);
    const uncertainty = uncertaintyOf(distance);
    const isWanted = settings.classes.includes(objectClass) && !editOf(edits.present, id);
    if (!isWanted || uncertainty === 0) return [];
    const reason = distance < 0 ? ('below-threshold' as const) : ('above-threshold' as const);
    const target = { kind: 'object', id } as const;
    return [{ fileId, key: `object ${id}`, reason, uncertainty, objectClass, score, box, target }];
  });
};

/** Shorter tracks have no beginning and end worth checking: the track itself is the question. */
const MIN_FRAMES = 3;
/** Objects this near to the border of the frame, as a share of its side, leave or enter the view. */
const BORDER_SHARE = 0.015;
/** Longer pauses are rather objects that were away. */
const MAX_PAUSE_S = 2;
/** Another track continues one if it begins within this distance, in sides of the object … */
const NEAR_SIDES = 1.5;
/** Static time before the beginning of a track that hiding it covers. */
const LEAD_S = 1;
/** A short pause between two detections is nearly always a missed object; the longer, the less so. */
const PAUSE_UNCERTAINTY = 0.95;
const LONG_PAUSE_UNCERTAINTY = 0.6;
/** Uncertainty of an abrupt end with a score of 1. Most such objects were covered by others. */
const ABRUPT_UNCERTAINTY = 0.8;

type Track = FoundObject & { readonly seen: SeenSpan & { readonly course: TrackCourse } };
type Place = Omit<UncertainObject, 'fileId' | 'objectClass'>;

const us = (seconds: number): number => Math.round(seconds * US_PER_SECOND);

const isAtBorder = ({ x1, y1, x2, y2 }: Box, { width, height }: MediaResult): boolean => {
  const [across, down] = [width * BORDER_SHARE, height * BORDER_SHARE];
  return x1 <= across || y1 <= down || x2 >= width - across || y2 >= height - down;
};

/** A place in which an object was seen, and when it is to be hidden there. */
interface Seen {
  readonly score: number;
  readonly atS: number;
  readonly box: Box;
  readonly range?: TimeRange;
}
const place = (
  key: string,
  reason: UncertainObject['reason'],
  uncertainty: number,
  { score, atS, box, range }: Seen,
): Place => {
  const drawn: DrawnBox = { at: atS, bbox: toBbox(box), ...range };
  const target = { kind: 'place', drawn } as const;
  return { key, reason, uncertainty, score, box, atS, target };
};

const pauseUncertainty = (seconds: number): number =>
  PAUSE_UNCERTAINTY - (PAUSE_UNCERTAINTY - LONG_PAUSE_UNCERTAINTY) * Math.min(1, seconds / MAX_PAUSE_S);

interface Pause {
  readonly fromS: number;
  readonly untilS: number;
  readonly before: Box;
  readonly after: Box;
  readonly score: number;
}

/** A pause between two detections: hiding it covers both boxes, since the object moves from one to the other. */
const pausePlace = (
  key: string,
  reason: 'gap' | 'fewer',
  { fromS, untilS, before, after, score }: Pause,
): Place =>
  place(key, reason, pauseUncertainty(untilS - fromS), {
    ...{ score, atS: fromS, box: unionBox(before, after) },
    range: { start: fromS, end: untilS },
  });

const gapPlaces = ({ id, seen: { course } }: Track): readonly Place[] =>
  course.gaps
    .filter(({ fromS, after }) => after.atS - fromS <= MAX_PAUSE_S)
    .map(({ before, fromS, after }) => {
      const score = Math.max(before.score, after.score);
      const pause = { fromS, untilS: after.atS, before: before.box, after: after.box, score };
      return pausePlace(`gap ${id} ${us(fromS)}`, 'gap', pause);
    });

const areNear = (a: Box, b: Box): boolean => {
  const side = Math.max(boxWidth(a), boxHeight(a), boxWidth(b), boxHeight(b));
  const across = (a.x1 + a.x2 - b.x1 - b.x2) / 2;
  const down = (a.y1 + a.y2 - b.y1 - b.y2) / 2;
  return Math.hypot(across, down) <= NEAR_SIDES * side;
};

/** The track that continues one after frames without either; it may also continue at once, with another number. */
const successorOf = ({ id, objectClass, seen: { course } }: Track, tracks: readonly Track[]) => {
  const { last, afterS } = course;
  if (afterS === undefined) return undefined;
  const near = tracks.filter(({ id: other, objectClass: own, seen: { course: next } }) => {
    const pauseS = next.first.atS - afterS;
    const isNext = pauseS >= 0 && pauseS <= MAX_PAUSE_S && areNear(last.box, next.first.box);
    return other !== id && own === objectClass && isNext;
  });
  return near.toSorted((a, b) => a.seen.firstS - b.seen.firstS)[0];
};

const isLong = ({ seen: { frames } }: Track): boolean => frames >= MIN_FRAMES;

/** A track that ends with a confident detection, not at the border and not with the video. */
const endPlace = (track: Track, threshold: number, result: MediaResult): readonly Place[] => {
  const { last, afterS } = track.seen.course;
  const isAbrupt = isLong(track) && last.score >= threshold && !isAtBorder(last.box, result);
  if (!isAbrupt || afterS === undefined) return [];
  const { score, box } = last;
  return [place(`end ${track.id}`, 'abrupt-end', ABRUPT_UNCERTAINTY * score, { score, box, atS: afterS })];
};

const startPlace = (track: Track, threshold: number, result: MediaResult): readonly Place[] => {
  const { first, beforeS } = track.seen.course;
  const isAbrupt = isLong(track) && first.score >= threshold && !isAtBorder(first.box, result);
  if (!isAbrupt || beforeS === undefined) return [];
  const { score, box, atS: untilS } = first;
  const range = { start: Math.max(0, beforeS - LEAD_S), end: untilS };
  const found = { score, box, atS: beforeS, range };
  return [place(`start ${track.id}`, 'abrupt-start', ABRUPT_UNCERTAINTY * score, found)];
};

const weakTrack = ({ id, score, seen, ...at }: Track, threshold: number): readonly Place[] => {
  const { meanScore } = seen.course;
  const uncertainty = uncertaintyOf(Math.max(0, meanScore - threshold));
  if (uncertainty === 0) return [];
  const box = { x1: at.x, y1: at.y, x2: at.x + at.width, y2: at.y + at.height };
  const target = { kind: 'track', id } as const;
  return [{ key: `track ${id}`, reason: 'weak-track', uncertainty, score, box, atS: seen.bestS, target }];
};

/**
 * Doubts about the tracks of a video: tracks of low scores, and places in which an object may have been missed, because
 * the frames around them contain it. Detections without tracking have no identity, and are left out.
 */
export const uncertainInVideo = ({
  id: fileId,
  result,
  settings,
  edits,
}: MediaItem): readonly UncertainObject[] => {
  if (!result?.video || !result.hasImage || !settings) return [];
  const tracks = result.objects.filter((one): one is Track => isTrack(one) && one.seen?.course !== undefined);
  /** Tracks whose beginning is the end of a pause. */
  const continued = new Set<number>();
  const ends = tracks.flatMap((track) => {
    const next = successorOf(track, tracks);
    if (!next) {
      return [
        { track, places: endPlace(track, thresholdIn(settings.thresholds, track.objectClass), result) },
      ];
    }
    continued.add(next.id);
    const { course } = track.seen;
    const { first } = next.seen.course;
    const fromS = course.afterS ?? first.atS;
    // Without a frame in between, only the number changed.
    if (first.atS <= fromS) return [];
    const score = Math.max(course.last.score, first.score);
    const pause = { fromS, untilS: first.atS, before: course.last.box, after: first.box, score };
    return [{ track, places: [pausePlace(`fewer ${track.id}`, 'fewer', pause)] }];
  });
  const others = tracks.map((track) => {
    const threshold = thresholdIn(settings.thresholds, track.objectClass);
    const weak = isTrackDecided(edits.present, track.id) ? [] : weakTrack(track, threshold);
    const start = continued.has(track.id) ? [] : startPlace(track, threshold, result);
    return { track, places: [...weak, ...start, ...gapPlaces(track)] };
  });
  return [...ends, ...others].flatMap(({ track: { objectClass }, places }) =>
    places.map((one) => ({ ...one, fileId, objectClass })),
  );
};
