import { EncodedPacketSink, VideoSample, type EncodedPacket, type InputVideoTrack } from 'mediabunny';

/** Maximum number of packets in the decoder's queue. */
const MAX_QUEUED = 2;
/** After this many rejected packets in a group of pictures, the rest of the group is skipped. */
const MAX_REJECTED = 16;

/** A group of pictures (GOP): the packet of a key frame and those that depend on it, in decoding order. */
interface Group {
  readonly track: InputVideoTrack;
  readonly first: EncodedPacket;
  /** First packet of the next group; undefined for the last group. */
  readonly end: EncodedPacket | undefined;
}

/** The decoder failed within the first `given` packets of a group. */
class DecoderFailed extends Error {
  constructor(readonly given: number) {
    super('The decoder rejected a packet.');
  }
}

const openDecoder = (config: VideoDecoderConfig) => {
  const frames: VideoFrame[] = [];
  let hasFailed = false;
  let fail = (): void => undefined;
  const failure = new Promise<void>((resolve) => {
    fail = () => {
      hasFailed = true;
      resolve();
    };
  });
  const decoder = new VideoDecoder({ output: (frame) => void frames.push(frame), error: fail });
  const dequeued = (): Promise<void> =>
    new Promise((resolve) => decoder.addEventListener('dequeue', () => resolve(), { once: true }));
  decoder.configure(config);
  return {
    /** Decoded frames that were not taken yet. A caller that takes a frame closes it. */
    frames,
    hasFailed: () => hasFailed,
    give: (packet: EncodedPacket): void => {
      try {
        decoder.decode(packet.toEncodedVideoChunk());
      } catch {
        fail();
      }
    },
    /** Resolves when the decoder accepts more packets or has failed. */
    ready: async (): Promise<void> => {
      while (!hasFailed && decoder.decodeQueueSize > MAX_QUEUED) await Promise.race([dequeued(), failure]);
    },
    /** Resolves when all packets are decoded or the decoder has failed. */
    flush: async (): Promise<void> => {
      if (!hasFailed) await Promise.race([decoder.flush().catch(fail), failure]);
    },
    close: (): void => {
      for (const frame of frames) frame.close();
      if (decoder.state !== 'closed') decoder.close();
    },
  };
};

/** Decodes the first `length` packets of a group, without those at the positions `leftOut`. @throws DecoderFailed */
async function* decodePackets(
  { track, first, end }: Group,
  leftOut: ReadonlySet<number>,
  length: number,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  const config = await track.getDecoderConfig();
  if (!config) throw new Error('a track without a decoder configuration cannot be decoded');
  const decoder = openDecoder(config);
  let position = 0;
  try {
    for await (const packet of new EncodedPacketSink(track).packets(first, end)) {
      signal.throwIfAborted();
      if (position >= length || decoder.hasFailed()) break;
      if (!leftOut.has(position++)) decoder.give(packet);
      await decoder.ready();
      while (decoder.frames.length > 0) yield decoder.frames.shift() as VideoFrame;
    }
    await decoder.flush();
    if (decoder.hasFailed()) throw new DecoderFailed(position);
    while (decoder.frames.length > 0) yield decoder.frames.shift() as VideoFrame;
  } finally {
    decoder.close();
  }
}

const decodesUpTo = async (
  group: Group,
  leftOut: ReadonlySet<number>,
  length: number,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    for await (const frame of decodePackets(group, leftOut, length, signal)) frame.close();
    return true;
  } catch (error) {
    if (error instanceof DecoderFailed) return false;
    throw error;
  }
};

/** Position of the packet at which the decoder fails. Found by bisection, because decoders do not report it. */
const findRejected = async (
  group: Group,
  leftOut: ReadonlySet<number>,
  given: number,
  signal: AbortSignal,
): Promise<number> => {
  let decodable = Math.max(0, ...[...leftOut].map((position) => position + 1));
  let rejected = given;
  while (rejected - decodable > 1) {
    const middle = (decodable + rejected) >> 1;
    if (await decodesUpTo(group, leftOut, middle, signal)) decodable = middle;
    else rejected = middle;
  }
  return rejected - 1;
};

/**
 * Decodes a group of pictures without the packets that the decoder rejects.
 *
 * The decoder fills frames that depend on a rejected packet from earlier ones. They may be smeared, but they are kept
 * and searched like all other frames.
 *
 * @returns whether a packet was left out
 */
async function* decodeGroup(group: Group, signal: AbortSignal): AsyncGenerator<VideoSample, boolean> {
  const leftOut = new Set<number>();
  for (let length = Infinity; length > 0;) {
    try {
      for await (const frame of decodePackets(group, leftOut, length, signal)) yield new VideoSample(frame);
      break;
    } catch (error) {
      if (!(error instanceof DecoderFailed)) throw error;
      const rejected = await findRejected(group, leftOut, error.given, signal);
      if (leftOut.size === MAX_REJECTED) length = rejected;
      else if (rejected <= 0) length = 0;
      leftOut.add(rejected);
    }
  }
  return leftOut.size > 0;
}

/**
 * Decodes around packets at which a decoder failed.
 *
 * @param after timestamp in seconds of the last frame before the failure; -Infinity if there was none
 */
export const decodeAroundBroken = (track: InputVideoTrack, after: number, signal: AbortSignal) => {
  let resumesAt: number | undefined;
  /** Frames from before the failure on. A frame may occur several times. */
  async function* samples(): AsyncGenerator<VideoSample> {
    const sink = new EncodedPacketSink(track);
    let first = after === -Infinity ? null : await sink.getKeyPacket(after);
    first ??= await sink.getFirstKeyPacket();
    while (first) {
      const end: EncodedPacket | undefined = (await sink.getNextKeyPacket(first)) ?? undefined;
      // Decoders read ahead: the broken packet may belong to a later group than the last decoded frame.
      const wasBroken = yield* decodeGroup({ track, first, end }, signal);
      resumesAt = end?.timestamp;
      if (wasBroken || !end) return;
      first = end;
    }
  }
  /** Time in seconds of the key frame at which decoding can continue after `samples`; undefined: none. */
  return { samples, resumesAt: () => resumesAt };
};
