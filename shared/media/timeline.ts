import type { Mp4Edit, Mp4Track } from '../engine/formats/mp4-index';
import { UnreadableFile } from '../domain/unreadable-file';

/** When something is shown or heard, in seconds. */
export interface Span {
  readonly timestamp: number;
  readonly duration: number;
}

/** Times by the demuxer's clock that are shown, and how much later that is. */
interface ShownPart {
  readonly from: number;
  readonly to: number;
  readonly shift: number;
}

/** What of a track's media is shown, and when. */
export type Timeline = readonly ShownPart[];

/** What comes before zero leads up to it. */
const ALL: Timeline = [{ from: 0, to: Infinity, shift: 0 }];
/** Edit lists count in steps of up to 1/600 s, so that their ends lie a little beside those of the frames. */
const ROUNDING_SECONDS = 0.002;
/** So much audio before the beginning stays, hidden as it was: decoders need it to begin with (AAC, Opus). */
const AUDIO_PREROLL_SECONDS = 0.15;

/**
 * Tells what is shown of a track.
 *
 * The demuxer's clock is that of the first edit, and goes on through all media that the others hide.
 *
 * @throws UnreadableFile where media are shown twice, or later ones before earlier ones
 */
export const timelineOf = (edits: readonly Mp4Edit[] | undefined): Timeline => {
  const first = edits?.[0];
  if (!edits) return ALL;
  if (!first) return [];
  const parts = edits.map(({ startSeconds, durationSeconds, mediaSeconds }) => {
    const from = mediaSeconds - first.mediaSeconds + first.startSeconds;
    return { from, to: from + durationSeconds, shift: startSeconds - from };
  });
  for (const [index, { from }] of parts.entries()) {
    if (from < (parts[index - 1]?.to ?? -Infinity) - ROUNDING_SECONDS) {
      throw new UnreadableFile(
        'The video has an edit list that repeats or reorders its parts, which is not supported.',
      );
    }
  }
  return parts;
};

/** What is shown of each of a file's tracks. @param tracks none where the file is no MP4 */
export const timelinesOf = (tracks: readonly Mp4Track[]): ((track: Pick<Mp4Track, 'id'>) => Timeline) => {
  const edits = new Map(tracks.map(({ id, edits }) => [id, edits]));
  return ({ id }) => timelineOf(edits.get(id));
};

/** Where a frame is shown, cut to the part that is; undefined: it is hidden. */
export const placeFrame = (timeline: Timeline, { timestamp, duration }: Span): Span | undefined => {
  const rounding = Math.min(ROUNDING_SECONDS, duration / 2);
  const end = timestamp + duration;
  for (const { from, to, shift } of timeline) {
    const isInstant = duration === 0 && timestamp >= from && timestamp <= to;
    if (!isInstant && (end <= from + rounding || timestamp >= to - rounding)) continue;
    const start = Math.max(timestamp, from);
    return { timestamp: start + shift, duration: Math.min(end, to) - start };
  }
  return undefined;
};

/** When a packet of audio is heard; undefined: never. Packets cannot be cut, so that the last of a part ends after it. */
export const placeAudio = (timeline: Timeline, { timestamp }: Span): number | undefined => {
  const [first] = timeline;
  if (first?.from === 0 && timestamp < 0 && timestamp >= -AUDIO_PREROLL_SECONDS) return timestamp;
  const part = timeline.find(({ from, to }) => timestamp >= from && timestamp < to);
  return part && timestamp + part.shift;
};
