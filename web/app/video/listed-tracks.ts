import type { FollowedBox, TimeRange, VideoEdits } from '#shared/domain/video-edits';
import type { Box } from '#shared/domain/boxes';
import { US_PER_SECOND } from '#shared/domain/time-units';
import type { FoundObject, MediaResult, SeenSpan } from '../../state/media-item';
import type { SelectedFace } from '../../state/subjects/crop-sample';

/** An object of a video that was followed. */
export interface Track extends FoundObject {
  readonly seen: SeenSpan;
}

/** Text comes last: one page has more lines than a street has cars, and they would fill the visible part of the list. */
const orderOf = ({ objectClass }: FoundObject): number => (objectClass === 'text' ? 1 : 0);

/** The ones that are seen longest come first: of many, those are the ones that matter. */
export const tracksByLength = (objects: readonly FoundObject[]): readonly Track[] =>
  objects
    .flatMap((object) => (object.seen ? [{ ...object, seen: object.seen }] : []))
    .sort((a, b) => orderOf(a) - orderOf(b) || b.seen.frames - a.seen.frames || a.id - b.id);

/** Frames for sample photos of a track; its best frame if none is large and certain enough. */
export const samplesOf = ({ seen, x, y, width, height }: Track): readonly SelectedFace[] =>
  seen.samples ?? [{ atS: seen.bestS, box: { x1: x, y1: y, x2: x + width, y2: y + height } }];

/** A drawn box and its tracking result, which is missing until the edits are applied. */
export interface DrawnObject {
  readonly id: number;
  readonly atS: number;
  readonly box: Box;
  readonly range: TimeRange | undefined;
  readonly followed: FollowedBox | undefined;
}

export const drawnObjects = ({ drawn }: VideoEdits, { video }: MediaResult): readonly DrawnObject[] =>
  drawn.map(({ id, timeUs, box, range }) => {
    const wanted = JSON.stringify(range);
    const isMade = video?.made.drawn.some(
      (one) => one.id === id && one.timeUs === timeUs && JSON.stringify(one.range) === wanted,
    );
    const followed = isMade ? video?.followed.find((one) => one.id === id) : undefined;
    return { id, atS: timeUs / US_PER_SECOND, box, range, followed };
  });
