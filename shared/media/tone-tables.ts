import { UnreadableFile } from '../domain/failure';
import { asHdrTransfer, type HdrTransfer } from '../domain/hdr';
import type { ToneOutput } from '../engine/colour/tone-map';
import { toneTable, type ToneTable } from '../engine/colour/tone-table';

/** Colour space of results whose source is in high dynamic range, or has no colour space. */
export const HDTV = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;

/** Numbers of primaries in ITU-T H.273, by their WebCodecs names. */
const PRIMARIES: Readonly<Record<string, number>> = {
  ...{ bt709: 1, bt470bg: 5, smpte170m: 6, bt2020: 9, smpte432: 12 },
};

/**
 * The table for frames in high dynamic range; undefined for those in standard range.
 *
 * @throws UnreadableFile where the tags are incomplete: guessed colours would be wrong
 */
export const toneTableOf = (tags: VideoColorSpaceInit, use: ToneOutput = 'video'): ToneTable | undefined => {
  const transfer = asHdrTransfer(tags.transfer);
  if (!transfer) return undefined;
  const primaries = PRIMARIES[tags.primaries ?? ''];
  if (!primaries || !tags.matrix) {
    throw new UnreadableFile(
      `The video is in high dynamic range (${transfer.toUpperCase()}), but does not state the primaries and the matrix of its colours, or unusual ones; convert it to standard range first.`,
    );
  }
  return toneTable(transfer, primaries, use);
};

/** Tags of a decoded image whose file states transfer and primaries; decoders leave some out. */
export const hdrTags = (
  decoded: VideoColorSpace,
  transfer: HdrTransfer,
  primaries: number,
): VideoColorSpaceInit => {
  const [name = null] = Object.entries(PRIMARIES).find(([, number]) => number === primaries) ?? [];
  return { ...decoded.toJSON(), transfer, primaries: name } as unknown as VideoColorSpaceInit;
};

export const hdrWithoutPlanes = (): UnreadableFile =>
  new UnreadableFile(
    'The decoder of this device gives out no pixels in high dynamic range; use another browser, or a server of your own.',
  );
