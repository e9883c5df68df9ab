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

/** Codecs for a track that MP4 cannot hold, preferred first: AAC has the widest support in players. */
const ENCODINGS = ['aac', 'opus'] as const;
type AudioEncoding = (typeof ENCODINGS)[number];

/** An audio track of the result. Without `encoding`, its packets are copied bit for bit. */
export interface AudioTrack {
  readonly track: InputAudioTrack;
  readonly timeline: Timeline;
  readonly encoding?: AudioEncoding;
}

const MP4_AUDIO = new Mp4OutputFormat().getSupportedAudioCodecs();
/** Samples per second. Opus supports only a few rates, and this is its usual one. */
const ENCODED_RATE = 48_000;
/** Bits per second and channel, high enough that the loss is not audible. */
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

/**
 * Decides whether a track is copied or encoded again.
 *
 * @returns undefined where MP4 cannot hold the track's codec and this host cannot convert it
 */
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

/** Passes on the packets or samples of a track, up to a time in seconds. */
export interface AudioFeed {
  feedUntil(seconds: number): Promise<void>;
}

interface Timed {
  readonly timestamp: number;
}

/** @param add receives each item, in order. @param end is called after the last item */
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

/** The unchanged packets of a track, without those that the timeline hides. */
async function* heardPackets({ track, timeline }: AudioTrack): AsyncGenerator<EncodedPacket, undefined> {
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const timestamp = placeAudio(timeline, packet);
    if (timestamp !== undefined) yield packet.clone({ timestamp });
  }
  return undefined;
}

/**
 * The audible parts of decoded audio, cut exactly to samples.
 *
 * @param leadSeconds subtracted from each timestamp, to compensate for the encoder's delay
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
  if (!codec || !decoderConfig) throw new Error('an audio track of an unknown codec cannot be copied');
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

/** Adds a track to an output that is not started yet. */
export const addAudio = (track: AudioTrack, output: Output): Promise<AudioFeed> =>
  track.encoding === undefined ? copyTrack(track, output) : encodeTrack(track, track.encoding, output);
