import type { Mp4Edit } from '../engine/formats/mp4-edits';
import type { Mp4Track } from '../engine/formats/mp4-index';
import { UnreadableFile } from '../domain/failure';

/** When something is shown or heard, in seconds. */
export interface Span {
  readonly timestamp: number;
  readonly duration: number;
}

/** A part of a track that is shown, in seconds of the demuxer's clock. `shift` is added for its time in the result. */
interface ShownPart {
  readonly from: number;
  readonly to: number;
  readonly shift: number;
}

/** The parts of a track that are shown, in order. */
export type Timeline = readonly ShownPart[];

/** The whole track from 0 on. Media before 0 are preroll, which is not shown. */
const ALL: Timeline = [{ from: 0, to: Infinity, shift: 0 }];
/** Edit lists count in steps of up to 1/600 s, so their ends may differ this much from the ends of frames. */
const ROUNDING_SECONDS = 0.002;
/** Audio before time 0 that is kept, still hidden: decoders of AAC and Opus need it to start. */
const AUDIO_PREROLL_SECONDS = 0.15;

/**
 * The parts of a track that its edit list shows.
 *
 * The demuxer applies only the first edit; its clock also counts the media that later edits hide.
 *
 * @param edits undefined where the track has no edit list
 * @throws UnreadableFile where the list repeats or reorders media
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

/** The timeline of each track of a file. @param tracks empty where the file is not an MP4 */
export const timelinesOf = (tracks: readonly Mp4Track[]): ((track: Pick<Mp4Track, 'id'>) => Timeline) => {
  const edits = new Map(tracks.map(({ id, edits }) => [id, edits]));
  return ({ id }) => timelineOf(edits.get(id));
};

/** When a frame is shown, cut to the part that shows it; undefined: it is hidden. */
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

/** Start of an audio packet in the result; undefined: it is hidden. Packets are never cut and may exceed their part. */
export const placeAudio = (timeline: Timeline, { timestamp }: Span): number | undefined => {
  const [first] = timeline;
  if (first?.from === 0 && timestamp < 0 && timestamp >= -AUDIO_PREROLL_SECONDS) return timestamp;
  const part = timeline.find(({ from, to }) => timestamp >= from && timestamp < to);
  return part && timestamp + part.shift;
};
