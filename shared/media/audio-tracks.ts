import {
  AudioSampleSink,
  AudioSampleSource,
  canEncodeAudio,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Mp4OutputFormat,
  Quality,
  type AudioSample,
  type EncodedPacket,
  type InputAudioTrack,
  type Output,
} from 'mediabunny';
import { encoderDelay } from './encoder-delay';
import { placeAudio, type Timeline } from './timeline';

/** What a track that MP4 cannot hold is encoded as; the first that the host has: AAC is played most widely. */
const ENCODINGS = ['aac', 'opus'] as const;
type AudioEncoding = (typeof ENCODINGS)[number];

/** What becomes of a track: without an encoding, its packets are copied bit for bit. */
export interface AudioTrack {
  readonly track: InputAudioTrack;
  readonly timeline: Timeline;
  readonly encoding?: AudioEncoding;
}

const MP4_AUDIO = new Mp4OutputFormat().getSupportedAudioCodecs();
/** Opus knows few others. */
const ENCODED_RATE = 48_000;
/** Beyond what can be heard to differ. */
const BITS_PER_CHANNEL = 96_000;

const encoderSettings = (codec: AudioEncoding, numberOfChannels: number) => ({
  codec,
  quality: new Quality({ bitrate: BITS_PER_CHANNEL * numberOfChannels }),
});

const findEncoding = async (track: InputAudioTrack): Promise<AudioEncoding | undefined> => {
  const numberOfChannels = await track.getNumberOfChannels();
  for (const codec of ENCODINGS) {
    const { quality } = encoderSettings(codec, numberOfChannels);
    if (await canEncodeAudio(codec, { numberOfChannels, sampleRate: ENCODED_RATE, quality })) return codec;
  }
  return undefined;
};

/** @returns undefined where MP4 cannot hold the track, and it cannot be encoded as what MP4 holds either */
export const planAudio = async (
  track: InputAudioTrack,
  timeline: Timeline,
): Promise<AudioTrack | undefined> => {
  const codec = await track.getCodec();
  if (codec === null || (await track.getDecoderConfig()) === null) return undefined;
  if (MP4_AUDIO.includes(codec)) return { track, timeline };
  const encoding = (await track.canDecode()) ? await findEncoding(track) : undefined;
  return encoding && { track, timeline, encoding };
};

/** A track that is handed on, up to a time. */
export interface AudioFeed {
  feedUntil(seconds: number): Promise<void>;
}

interface Timed {
  readonly timestamp: number;
}

/** @param add hands one on. @param end says that there are no more */
const feed = <T extends Timed>(
  items: AsyncGenerator<T, undefined>,
  add: (item: T) => Promise<void>,
  end: () => void,
): AudioFeed => {
  let waiting: T | undefined;
  let hasEnded = false;
  const next = async (): Promise<T | undefined> => {
    if (waiting || hasEnded) return waiting;
    const { value, done } = await items.next();
    hasEnded = done === true;
    waiting = value ?? undefined;
    if (hasEnded) end();
    return waiting;
  };
  return {
    feedUntil: async (seconds) => {
      for (let item = await next(); item && item.timestamp <= seconds; item = await next()) {
        waiting = undefined;
        await add(item);
      }
    },
  };
};

/** A track's packets but for those that are never heard, as they are. */
async function* heardPackets({ track, timeline }: AudioTrack): AsyncGenerator<EncodedPacket, undefined> {
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const timestamp = placeAudio(timeline, packet);
    if (timestamp !== undefined) yield packet.clone({ timestamp });
  }
  return undefined;
}

/**
 * What is heard of decoded audio, cut to the sample.
 *
 * @param leadSeconds how much earlier than it is heard it is given to the encoder
 */
function* heardParts(timeline: Timeline, sample: AudioSample, leadSeconds: number): Generator<AudioSample> {
  const { timestamp, duration, sampleRate, numberOfFrames } = sample;
  for (const { from, to, shift } of timeline) {
    if (timestamp + duration <= from || timestamp >= to) continue;
    const first = Math.max(0, Math.ceil((from - timestamp) * sampleRate));
    const end = Math.min(numberOfFrames, Math.ceil((to - timestamp) * sampleRate));
    if (end <= first) continue;
    const part = sample.trim(first, end);
    part.setTimestamp(timestamp + first / sampleRate + shift - leadSeconds);
    yield part;
  }
}

async function* heardSamples(
  { track, timeline }: AudioTrack,
  leadSeconds: number,
): AsyncGenerator<AudioSample, undefined> {
  for await (const sample of new AudioSampleSink(track).samples()) {
    using whole = sample;
    yield* heardParts(timeline, whole, leadSeconds);
  }
  return undefined;
}

const copyTrack = async (track: AudioTrack, output: Output): Promise<AudioFeed> => {
  const codec = await track.track.getCodec();
  const decoderConfig = await track.track.getDecoderConfig();
  if (!codec || !decoderConfig) throw new Error('an audio track without a known coding was to be copied');
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source, { languageCode: await track.track.getLanguageCode() });
  return feed(
    heardPackets(track),
    (packet) => source.add(packet, { decoderConfig }),
    () => source.close(),
  );
};

const encodeTrack = async (
  track: AudioTrack,
  encoding: AudioEncoding,
  output: Output,
): Promise<AudioFeed> => {
  const source = new AudioSampleSource({
    ...encoderSettings(encoding, await track.track.getNumberOfChannels()),
    transform: { sampleRate: ENCODED_RATE },
  });
  output.addAudioTrack(source, { languageCode: await track.track.getLanguageCode() });
  const add = async (sample: AudioSample): Promise<void> => {
    using part = sample;
    await source.add(part);
  };
  const leadSeconds = encoding === 'aac' ? (await encoderDelay(ENCODED_RATE)) / ENCODED_RATE : 0;
  return feed(heardSamples(track, leadSeconds), add, () => source.close());
};

/** Adds a track to a file that is not yet begun. */
export const addAudio = (track: AudioTrack, output: Output): Promise<AudioFeed> =>
  track.encoding === undefined ? copyTrack(track, output) : encodeTrack(track, track.encoding, output);
