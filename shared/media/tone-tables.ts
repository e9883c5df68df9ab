import { UnreadableFile } from '../domain/failure';
import { asHdrTransfer } from '../domain/hdr';
import { PRIMARIES, type Primaries } from '../engine/colour/code-points';
import { createToneTable, type ToneTable } from '../engine/colour/tone-table';

/** Colour space of results whose source is in high dynamic range, or has no colour space. */
export const HDTV = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;

/** Primaries by their WebCodecs names. */
const PRIMARIES_BY_NAME: Readonly<Record<string, Primaries | undefined>> = {
  ...{ bt709: PRIMARIES[1], bt470bg: PRIMARIES[5], smpte170m: PRIMARIES[6], bt2020: PRIMARIES[9] },
  smpte432: PRIMARIES[12],
};

/** Each is computed once: that takes longer than a frame. */
const tables = new Map<string, ToneTable>();

/**
 * The table for frames in high dynamic range; undefined for those in standard range.
 *
 * @throws UnreadableFile where the tags are incomplete: guessed colours would be wrong
 */
export const toneTableOf = (tags: VideoColorSpaceInit): ToneTable | undefined => {
  const transfer = asHdrTransfer(tags.transfer);
  if (!transfer) return undefined;
  const primaries = PRIMARIES_BY_NAME[tags.primaries ?? ''];
  if (!primaries || !tags.matrix) {
    throw new UnreadableFile(
      `The video is in high dynamic range (${transfer.toUpperCase()}), but does not state the primaries and the matrix of its colours, or unusual ones; convert it to standard range first.`,
    );
  }
  const key = `${transfer} ${tags.primaries}`;
  const table = tables.get(key) ?? createToneTable(transfer, primaries);
  tables.set(key, table);
  return table;
};

export const hdrWithoutPlanes = (): UnreadableFile =>
  new UnreadableFile(
    'The decoder of this device gives out no pixels of videos in high dynamic range; use another browser, or a server of your own.',
  );
