import { EncodedPacketSink, type EncodedPacket, type InputVideoTrack } from 'mediabunny';
import { UnreadableFile } from '../domain/failure';
import type { HdrTransfer } from '../domain/hdr';
import { av1Range } from '../engine/formats/av1-transfer';

export const changedRange = (): UnreadableFile =>
  new UnreadableFile(
    'The video states different dynamic ranges (transfers) for its frames, which is not supported.',
  );

/**
 * Compares the dynamic range that coded frames state with the one in which they are shown: decoders repeat what the file
 * states, and a part in another range would have wrong colours.
 *
 * @param start in seconds, from which on the track is decoded
 */
export const watchRange = async (track: InputVideoTrack, start: number) => {
  if ((await track.getCodec()) !== 'av1') return { requireUntil: async (): Promise<void> => undefined };
  const sink = new EncodedPacketSink(track);
  let next: EncodedPacket | null = (await sink.getKeyPacket(start)) ?? (await sink.getFirstPacket());
  return {
    /** @param shownAs undefined: in standard range @throws UnreadableFile where a frame up to this time states another */
    requireUntil: async (seconds: number, shownAs: HdrTransfer | undefined): Promise<void> => {
      while (next && next.timestamp <= seconds) {
        const stated = av1Range(next.data);
        if (stated !== undefined && stated !== (shownAs ?? 'standard')) throw changedRange();
        next = await sink.getNextKeyPacket(next);
      }
    },
  };
};
