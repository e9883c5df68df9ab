import {
  type AudioCodec,
  type AudioSample,
  type EncodedPacket,
  type InputAudioTrack,
  type Output,
  AudioSampleSink,
  AudioSampleSource,
  canEncodeAudio,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Mp4OutputFormat,
  Quality,
} from 'mediabunny';
import { UnreadableFile } from '../domain/failure';
import { rebuildCodecConfig } from '../engine/formats/audio/codec-config';
import { encoderDelay } from './encoder-delay';
import { mutePackets, muteSample } from './mute-audio';
import { bytesOf, mutedConfig, packetSilencer, type MutedSpan, type SilencePacket } from './silent-packets';
import { placeAudio, type Timeline } from './timeline';

/** Codecs for a track whose packets are not copied, preferred first: AAC has the widest support in players. */
const ENCODINGS = ['aac', 'opus'] as const;
type AudioEncoding = (typeof ENCODINGS)[number];

/** An audio track of the result. Without `encoding`, its packets are copied bit for bit. */
export interface AudioTrack {
  readonly track: InputAudioTrack;
  readonly timeline: Timeline;
  readonly encoding?: AudioEncoding;
  /** Parts whose sound is removed. */
  readonly muted?: readonly MutedSpan[];
  /** End in seconds, to a packet; absent: that of the source. */
  readonly until?: number;
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
  if (!(await track.canDecode())) return undefined;
  const numberOfChannels = await track.getNumberOfChannels();
  for (const codec of ENCODINGS) {
    const { quality } = encoderSettings(codec, numberOfChannels);
    if (await canEncodeAudio(codec, { numberOfChannels, sampleRate: ENCODED_RATE, quality })) return codec;
  }
  return undefined;
};

interface Coding {
  readonly codec: AudioCodec;
  readonly decoderConfig: AudioDecoderConfig;
}

/**
 * The codec of a track, and a configuration without anything of the source but the fields that decoders need.
 *
 * @returns undefined where MP4 cannot hold the codec, or the configuration cannot be rebuilt
 */
const copiedCoding = async (track: InputAudioTrack): Promise<Coding | undefined> => {
  const codec = await track.getCodec();
  const config = await track.getDecoderConfig();
  if (!codec || !config || !MP4_AUDIO.includes(codec)) return undefined;
  const kept = rebuildCodecConfig(codec, config.description && bytesOf(config.description));
  if (!kept) return undefined;
  const { sampleRate, numberOfChannels } = config;
  const description = kept.bytes;
  return {
    codec,
    decoderConfig: { codec: config.codec, sampleRate, numberOfChannels, ...(description && { description }) },
  };
};

/**
 * Decides whether a track is copied or encoded again.
 *
 * @returns undefined where its packets cannot be copied and this host cannot convert them
 */
export const planAudio = async (
  track: InputAudioTrack,
  timeline: Timeline,
): Promise<AudioTrack | undefined> => {
  if ((await track.getCodec()) === null || (await track.getDecoderConfig()) === null) return undefined;
  if (await copiedCoding(track)) return { track, timeline };
  const encoding = await findEncoding(track);
  return encoding && { track, timeline, encoding };
};

const codingOf = async (track: InputAudioTrack): Promise<Coding> => {
  const coding = await copiedCoding(track);
  if (!coding) throw new Error('an audio track of an unknown codec cannot be copied');
  return coding;
};

/** Decodes the first packet: some hosts report support of codecs that they cannot decode. */
const isDecodable = async (track: InputAudioTrack): Promise<boolean> => {
  try {
    const sample = await new AudioSampleSink(track).getSample(await track.getFirstTimestamp());
    sample?.close();
    return sample !== null;
  } catch {
    return false;
  }
};

/** What is heard in the muted parts of a track: without bleeps, silence alone. */
type Instead = 'silence' | 'bleep';

/**
 * The encoding with which parts of a track can be muted: none if its packets can be replaced by silent ones.
 *
 * @returns undefined where parts of the track cannot be muted on this host
 */
const planMuting = async (
  { track, encoding }: AudioTrack,
  instead: Instead,
): Promise<Pick<AudioTrack, 'encoding'> | undefined> => {
  if (encoding) return { encoding };
  const { codec, decoderConfig } = await codingOf(track);
  if (instead === 'silence' && packetSilencer(codec, decoderConfig)) return {};
  const needed = await findEncoding(track);
  return needed && (await isDecodable(track)) ? { encoding: needed } : undefined;
};

/** The codecs of those tracks of which this host cannot mute parts. */
export const unmutableCodecs = async (
  tracks: readonly AudioTrack[],
  instead: Instead,
): Promise<readonly string[]> => {
  const codecs = new Set<string>();
  for (const track of tracks) {
    if (!(await planMuting(track, instead))) codecs.add((await track.track.getCodec()) ?? 'unknown');
  }
  return [...codecs];
};

/**
 * The same track with muted parts.
 *
 * @throws UnreadableFile where this host cannot mute them: the sound must not pass
 */
export const muteParts = async (track: AudioTrack, muted: readonly MutedSpan[]): Promise<AudioTrack> => {
  const planned = await planMuting(track, muted.some(({ as }) => as === 'bleep') ? 'bleep' : 'silence');
  if (planned) return { ...track, ...planned, muted };
  const codec = (await track.track.getCodec()) ?? 'unknown';
  throw new UnreadableFile(`Parts of the audio cannot be muted here: its coding is ${codec}.`);
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
async function* heardPackets({
  track,
  timeline,
  until = Infinity,
}: AudioTrack): AsyncGenerator<EncodedPacket, undefined> {
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const timestamp = placeAudio(timeline, packet);
    if (timestamp === undefined) continue;
    if (timestamp >= until) return undefined;
    yield packet.clone({ timestamp });
  }
  return undefined;
}

/**
 * The audible parts of decoded audio, cut exactly to samples.
 *
 * @param leadSeconds subtracted from each timestamp, to compensate for the encoder's delay
 */
function* heardParts(
  { timeline, muted = [] }: AudioTrack,
  sample: AudioSample,
  leadSeconds: number,
): Generator<AudioSample> {
  const { timestamp, duration, sampleRate, numberOfFrames } = sample;
  for (const { from, to, shift } of timeline) {
    if (timestamp + duration <= from || timestamp >= to) continue;
    const first = Math.max(0, Math.ceil((from - timestamp) * sampleRate));
    const end = Math.min(numberOfFrames, Math.ceil((to - timestamp) * sampleRate));
    if (end <= first) continue;
    const start = timestamp + first / sampleRate + shift;
    const part = muteSample(sample.trim(first, end), start, muted);
    part.setTimestamp(start - leadSeconds);
    yield part;
  }
}

async function* heardSamples(track: AudioTrack, leadSeconds: number): AsyncGenerator<AudioSample, undefined> {
  let [start, end] = [-Infinity, -Infinity];
  for await (const sample of new AudioSampleSink(track.track).samples()) {
    using whole = sample;
    // Some decoders repeat earlier times for the samples that they return at the end.
    if (whole.timestamp < start) whole.setTimestamp(end);
    start = whole.timestamp;
    end = start + whole.duration;
    const place = placeAudio(track.timeline, whole);
    if (place !== undefined && place >= (track.until ?? Infinity)) return undefined;
    yield* heardParts(track, whole, leadSeconds);
  }
  return undefined;
}

const requireSilencer = (...coding: Parameters<typeof packetSilencer>): SilencePacket => {
  const silence = packetSilencer(...coding);
  if (!silence) throw new Error('packets of this codec cannot be silenced');
  return silence;
};

const copyTrack = async (track: AudioTrack, output: Output): Promise<AudioFeed> => {
  const { codec, decoderConfig } = await codingOf(track.track);
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source, { languageCode: await track.track.getLanguageCode() });
  const packets = heardPackets(track);
  const { muted } = track;
  const written = muted ? mutedConfig(codec, decoderConfig) : decoderConfig;
  return feed(
    muted ? mutePackets(packets, muted, requireSilencer(codec, decoderConfig)) : packets,
    (packet) => source.add(packet, { decoderConfig: written }),
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
