import { corruptStructure, indexTooLarge, UnreadableFile } from '../../domain/failure';
import { viewOf } from './bytes';
import { FULL_BOX_BYTES, requireBytes, type Mp4Box } from './mp4-boxes';
import { MP4_LIMITS } from './structure-limits';

/** One entry of a track's edit list: a part of its media to be shown. */
export interface Mp4Edit {
  /** Time at which it is shown, and for how long; Infinity means to the end. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** Start of the part, on the media's own timeline. */
  readonly mediaSeconds: number;
}

/** An entry of a list as the file has it. */
export type Edit = readonly [durationUnits: number, mediaUnits: number, rate: number];

export const readEdits = (bytes: Uint8Array, box: Mp4Box): readonly Edit[] => {
  requireBytes(box, FULL_BOX_BYTES + 4);
  const view = viewOf(bytes);
  const isLong = view.getUint8(box.start) === 1;
  const count = view.getUint32(box.start + FULL_BOX_BYTES);
  const entryBytes = isLong ? 20 : 12;
  requireBytes(box, FULL_BOX_BYTES + 4 + count * entryBytes);
  if (count > MP4_LIMITS.edits) throw indexTooLarge();
  return Array.from({ length: count }, (_, i): Edit => {
    const at = box.start + FULL_BOX_BYTES + 4 + i * entryBytes;
    return isLong
      ? [Number(view.getBigUint64(at)), Number(view.getBigInt64(at + 8)), view.getInt32(at + 16)]
      : [view.getUint32(at), view.getInt32(at + 4), view.getInt32(at + 8)];
  });
};

const RATE_1 = 1 << 16;
const EMPTY = -1;

/** The parts of the media in the order of presentation. @throws UnreadableFile where their speed is changed */
export const placeEdits = (
  { edits, timescale }: { readonly edits: readonly Edit[] | undefined; readonly timescale: number },
  movieTimescale: number,
  isFragmented: boolean,
): readonly Mp4Edit[] | undefined => {
  if (!edits || edits.length === 0) return undefined;
  if (timescale === 0 || movieTimescale === 0) throw corruptStructure();
  let startSeconds = 0;
  const placed: Mp4Edit[] = [];
  for (const [units, mediaUnits, rate] of edits) {
    // An edit without a length in a fragmented file lasts to the end of the last fragment.
    const durationSeconds = units === 0 && isFragmented ? Infinity : units / movieTimescale;
    if (mediaUnits !== EMPTY) {
      if (rate !== RATE_1) {
        throw new UnreadableFile(
          'The video has an edit list that changes its speed, which is not supported.',
        );
      }
      placed.push({ startSeconds, durationSeconds, mediaSeconds: mediaUnits / timescale });
    }
    startSeconds += durationSeconds;
  }
  return placed;
};
