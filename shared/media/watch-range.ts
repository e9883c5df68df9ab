import { EncodedPacketSink, type EncodedPacket, type InputVideoTrack } from 'mediabunny';
import { changedColours } from '../domain/failure';
import { av1Range, type StatedRange } from '../engine/formats/colours/av1-colours';
import { watchColours } from '../engine/formats/colours/watch-colours';
import { bytesOf } from './silent-packets';

/**
 * Whether the packets of key frames, which are taken in order, state the colours in which they are shown.
 *
 * @param shownAs undefined: not known yet
 */
type Keeps = (packet: Uint8Array, shownAs: StatedRange) => boolean;

const statesRange: Keeps = (packet, shownAs) => {
  const stated = av1Range(packet);
  return stated === undefined || shownAs === undefined || stated === shownAs;
};

const keepsOf = async (track: InputVideoTrack, sink: EncodedPacketSink): Promise<Keeps | undefined> => {
  const codec = await track.getCodec();
  const configuration = (await track.getDecoderConfig())?.description;
  const keeps = watchColours(codec, configuration && bytesOf(configuration));
  const first = keeps && (await sink.getFirstPacket());
  if (first) keeps(first.data);
  // Decoders of AV1 state nothing of their own that could be compared with the file.
  if (keeps && codec === 'av1') return (packet, shownAs) => keeps(packet) && statesRange(packet, shownAs);
  return keeps;
};

/**
 * Compares the colours that coded frames state with those in which they are shown: decoders repeat what the file states,
 * and a part in other colours would be shown wrongly.
 *
 * @param start in seconds, from which on the track is decoded
 */
export const watchRange = async (track: InputVideoTrack, start: number) => {
  const sink = new EncodedPacketSink(track);
  const keeps = await keepsOf(track, sink);
  if (!keeps) return { requireUntil: async (): Promise<void> => undefined };
  let next: EncodedPacket | null = (await sink.getKeyPacket(start)) ?? (await sink.getFirstPacket());
  return {
    /** @throws UnreadableFile where a frame up to this time states other colours than the first, or another range */
    requireUntil: async (seconds: number, shownAs: StatedRange): Promise<void> => {
      while (next && next.timestamp <= seconds) {
        if (!keeps(next.data, shownAs)) throw changedColours();
        next = await sink.getNextKeyPacket(next);
      }
    },
  };
};

/**
 * Compares the frames of a whole track, one after the other, before it is converted: the copy states one set of colours.
 *
 * @throws UnreadableFile where they state different ones
 */
export const requireSameRange = async (track: InputVideoTrack): Promise<void> => {
  const coded = await watchRange(track, -Infinity);
  await coded.requireUntil(Infinity, undefined);
};
