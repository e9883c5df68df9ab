import { UnreadableFile } from '../../domain/failure';
import type { BagOptions } from '../../domain/bag';
import type { Size } from '../../domain/raster';
import type { BagRequest } from '../../ports/bag';
import type { KnownChannel } from './channels';
import { containsImage } from './hidden-files';
import { MessageProblem, type ImageMessage, type MessageReader } from './messages/image-message';
import { createImageReader, imageKindOf, mayShow } from './messages/read-images';
import { isDepth, sizeOfImage } from './images';
import { readAccessUnit, requireCoding, type VideoCoding } from './video/annex-b';

/** Where a frame is, and when it was taken, in nanoseconds. */
export interface FramePlace {
  /** Offset of its message in the file, or of its chunk. */
  readonly at: number;
  /** Offset in the unpacked chunk; undefined: it is in none. */
  readonly inChunk: number | undefined;
  readonly channelId: number;
  readonly stamp: bigint;
  readonly logTime: bigint;
  /** Of video: whether decoding can begin here. */
  readonly isKey?: boolean;
}

/** What is known of a topic. */
export interface TopicFacts {
  readonly name: string;
  readonly frames: FramePlace[];
  size: Size | undefined;
  /** Of its first message. */
  format: string | undefined;
  depthImages: number;
  /** Of video; undefined before its first key frame. */
  video: { readonly coding: VideoCoding; readonly codec: string } | undefined;
  /** Number of frames before that, which nobody can decode: they are left out. */
  lostFrames: number;
  /** Why it cannot be read, as a clause. */
  problem: string | undefined;
}

/** What happens with the messages of a channel. */
export type Treatment =
  | { readonly kind: 'keep' | 'drop' }
  | { readonly kind: 'hide'; readonly topic: TopicFacts; readonly read: MessageReader };

/** Messages of each other channel that are searched for image files. */
const SEARCHED_MESSAGES = 10;

/** A channel while the bag is read for the first time. */
interface Surveyed {
  readonly channel: KnownChannel;
  readonly topic: TopicFacts;
  readonly read: MessageReader | undefined;
  /** Named to be left out, or to stay as it is. */
  readonly named: 'keep' | 'drop' | undefined;
  messages: number;
  /** When its first and its last message were recorded, in nanoseconds. */
  times: readonly [first: bigint, last: bigint] | undefined;
}

const namedFor = (topic: string, options: BagOptions): Surveyed['named'] => {
  const { topics, dropTopics, keepTopics } = options;
  if (dropTopics.includes(topic) || (topics && !topics.includes(topic))) return 'drop';
  return keepTopics.includes(topic) ? 'keep' : undefined;
};

const UNKNOWN = 'its messages may show something, and Veil does not know them';
const UNNAMED = 'its messages contain image files, and Veil does not know them';

/** @returns undefined where the messages are no images @throws MessageProblem */
const readerOf = (channel: KnownChannel, noVideo: string | undefined): MessageReader | undefined => {
  const { schema } = channel;
  if (!schema) return undefined;
  const kind = imageKindOf(schema);
  if (kind === 'video' && noVideo !== undefined) throw new MessageProblem(noVideo);
  if (kind) return createImageReader(kind, schema, channel);
  if (mayShow(schema)) throw new MessageProblem(UNKNOWN);
  return undefined;
};

/** Counts images, and refuses more than the limits allow. */
const createCounter = ({ maxVideoFrames, maxVideoTotalPixels }: BagRequest['limits']) => {
  let frames = 0;
  let pixels = 0;
  return ({ width, height }: Size): void => {
    frames += 1;
    pixels += width * height;
    if (frames > maxVideoFrames) throw new UnreadableFile(`The bag has more than ${maxVideoFrames} images.`);
    if (pixels <= maxVideoTotalPixels) return;
    throw new UnreadableFile(
      `The bag has too many images: the limit is ${maxVideoTotalPixels} pixels in all of them.`,
    );
  };
};

/** Notes why messages cannot be read; the first reason counts. */
const noting = async <T>(topic: TopicFacts, work: () => T | Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MessageProblem)) throw error;
    topic.problem ??= error.message;
    return undefined;
  }
};

const newTopic = (name: string): TopicFacts => ({
  ...{ name, frames: [], size: undefined, format: undefined, depthImages: 0, problem: undefined },
  ...{ video: undefined, lostFrames: 0 },
});

type MessagePlace = Omit<FramePlace, 'stamp' | 'channelId'>;

/** Notes an access unit. @throws MessageProblem */
const takeUnit = (topic: TopicFacts, message: ImageMessage, place: Omit<FramePlace, 'isKey'>): void => {
  const coding = requireCoding(message.format);
  const { isKey, codec } = readAccessUnit(message.data, coding);
  if (!topic.video && isKey && codec !== undefined) topic.video = { coding, codec };
  if (!topic.video) return void topic.lostFrames++;
  if (topic.video.coding !== coding) throw new MessageProblem('its video changes its format');
  if (place.stamp < (topic.frames.at(-1)?.stamp ?? 0n)) {
    throw new MessageProblem('the frames of its video are not in the order of their stamps');
  }
  topic.frames.push({ ...place, isKey });
};

const withTime = (times: Surveyed['times'], time: bigint): Surveyed['times'] => {
  const [first, last] = times ?? [time, time];
  return [time < first ? time : first, time > last ? time : last];
};

/**
 * Finds the topics with images, and whether all of their messages can be read.
 *
 * @param noVideo why video is not read here, as a clause; undefined: it is
 */
export const createTopicSurvey = (request: BagRequest, noVideo: string | undefined) => {
  const topics = new Map<string, TopicFacts>();
  const channels = new Map<number, Surveyed>();
  const count = createCounter(request.limits);

  const takeImage = async (
    { topic, read, channel }: Surveyed,
    data: Uint8Array,
    place: MessagePlace,
  ): Promise<void> => {
    const message = await noting(topic, () => read?.(data));
    if (!message) return;
    topic.format ??= message.format;
    if (isDepth(message)) return void topic.depthImages++;
    if (message.data.length === 0) return; // a camera that has lost an image
    const stamp = message.stamp === 0n ? place.logTime : message.stamp;
    const frame = { ...place, channelId: channel.id, stamp };
    if (message.kind === 'video') {
      count({ width: 0, height: 0 });
      return noting(topic, () => takeUnit(topic, message, frame));
    }
    const size = await noting(topic, () => sizeOfImage(message, request));
    if (!size) return;
    count(size);
    topic.size ??= size;
    if (size.width !== topic.size.width || size.height !== topic.size.height) {
      topic.problem ??= 'its images have different sizes';
    }
    topic.frames.push(frame);
  };
  return {
    topics,
    channels,
    addChannel: async (channel: KnownChannel): Promise<void> => {
      const topic = topics.get(channel.topic) ?? newTopic(channel.topic);
      topics.set(channel.topic, topic);
      const named = namedFor(channel.topic, request.options);
      const read = named ? undefined : await noting(topic, () => readerOf(channel, noVideo));
      channels.set(channel.id, { channel, topic, read, named, messages: 0, times: undefined });
    },
    /** @param data of the message, without its head */
    takeMessage: async (channelId: number, data: Uint8Array, place: MessagePlace): Promise<void> => {
      const surveyed = channels.get(channelId)!;
      surveyed.messages += 1;
      surveyed.times = withTime(surveyed.times, place.logTime);
      if (surveyed.named) return;
      if (surveyed.read) return takeImage(surveyed, data, place);
      if (surveyed.messages > SEARCHED_MESSAGES || !containsImage(data)) return;
      surveyed.topic.problem ??= UNNAMED;
    },
  };
};

export type TopicSurvey = ReturnType<typeof createTopicSurvey>;

/** @param reason a clause */
export const topicRefused = (topic: string, reason: string): UnreadableFile =>
  new UnreadableFile(
    `The topic ${JSON.stringify(topic)} cannot be anonymised: ${reason}. Leave it out with --drop-topic, or keep it as it is with --keep-topic.`,
  );

/** Why a topic cannot be anonymised, as a clause; undefined: it can be, or nothing is to be. */
export const problemOf = ({ problem, depthImages, frames }: TopicFacts): string | undefined =>
  problem ?? (depthImages > 0 && frames.length > 0 ? 'it has images and depths' : undefined);

/** @throws UnreadableFile where a topic cannot be read and was not named, or a named one is missing */
const requireReadable = ({ topics }: TopicSurvey, { topics: wanted = [] }: BagOptions): void => {
  const missing = wanted.find((name) => !topics.has(name));
  if (missing !== undefined) throw new UnreadableFile(`The bag has no topic ${JSON.stringify(missing)}.`);
  for (const topic of topics.values()) {
    const reason = problemOf(topic);
    if (reason !== undefined) throw topicRefused(topic.name, reason);
  }
};

/**
 * Decides what happens with each channel.
 *
 * @throws UnreadableFile where a topic cannot be read and was not named, or a named one is missing
 */
export const decideTreatments = (
  survey: TopicSurvey,
  options: BagOptions,
): ReadonlyMap<number, Treatment> => {
  requireReadable(survey, options);
  return new Map(
    [...survey.channels].map(([id, { named, read, topic }]): [number, Treatment] => {
      if (named) return [id, { kind: named }];
      if (!read) return [id, { kind: 'keep' }];
      if (topic.depthImages > 0) return [id, { kind: options.keepDepth ? 'keep' : 'drop' }];
      return [id, { kind: 'hide', topic, read }];
    }),
  );
};
