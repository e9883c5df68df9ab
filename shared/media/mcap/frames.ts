import { US_PER_SECOND } from '../../domain/plan';
import type { Raster, Size } from '../../domain/raster';
import type { BagFrame, BagRequest } from '../../ports/bag';
import type { VideoFrame } from '../../ports/video';
import type { RecordAccess } from './bag-file';
import { MessageProblem, type ImageMessage } from './messages/image-message';
import { decodeImage, requireSize } from './images';
import { MESSAGE_HEAD } from './records';
import { topicRefused, type FramePlace, type TopicFacts, type TopicSurvey, type Treatment } from './topics';
import type { StreamUnit } from './video/video-stream';

const NS_PER_US = 1000;
/** Duration of a frame without another one behind it. */
const USUAL_FRAME_US = US_PER_SECOND / 30;

/** A topic of which all frames in the wanted part are hidden. */
export interface HiddenTopic {
  readonly facts: TopicFacts;
  /** By stamp; of video in the order of the bag, which is the same. */
  readonly frames: readonly FramePlace[];
  /** Of video: frames before the wanted part that are decoded, too, because the first wanted one needs them. */
  readonly lead: readonly FramePlace[];
  /** Numbers of frames by where they are: see `keyOf`. */
  readonly numbers: ReadonlyMap<string, number>;
}

export const keyOf = ({ at, inChunk }: Pick<FramePlace, 'at' | 'inChunk'>): string =>
  `${at}.${inChunk ?? ''}`;

/** Whether a message was recorded in the wanted part of the bag. */
export type IsWanted = (logTime: bigint) => boolean;

export const hiddenTopics = (
  treatments: ReadonlyMap<number, Treatment>,
  isWanted: IsWanted,
): readonly HiddenTopic[] => {
  const all = [...treatments.values()].flatMap((one) => (one.kind === 'hide' ? [one.topic] : []));
  return [...new Set(all)]
    .map((facts) => {
      const wanted = facts.frames.filter(({ logTime }) => isWanted(logTime));
      const frames = facts.video
        ? wanted
        : wanted.sort((a, b) => (a.stamp < b.stamp ? -1 : a.stamp > b.stamp ? 1 : 0));
      const before = facts.video ? facts.frames.slice(0, facts.frames.indexOf(frames[0]!)) : [];
      const key = frames[0]?.isKey ? before.length : before.findLastIndex(({ isKey }) => isKey);
      const numbers = new Map(frames.map((frame, index) => [keyOf(frame), index]));
      return { facts, frames, lead: before.slice(Math.max(0, key)), numbers };
    })
    .filter(({ frames }) => frames.length > 0);
};

/** Times of frames from 0, each later than the one before: trackers divide by the time between two. */
const timesOf = (frames: readonly FramePlace[]): Float64Array => {
  const times = new Float64Array(frames.length);
  const first = frames[0]?.stamp ?? 0n;
  frames.forEach(({ stamp }, i) => {
    const us = Number(stamp - first) / NS_PER_US;
    times[i] = i === 0 ? us : Math.max(us, times[i - 1]! + 1);
  });
  return times;
};

/** What reads the frames of topics. */
export interface BagSource {
  readonly request: BagRequest;
  /** Of all topics, which are read near each other. */
  readonly access: RecordAccess;
  readonly treatments: ReadonlyMap<number, Treatment>;
}

/** The error that names the topic, where only a decoder has found that an image is damaged. */
export const withTopicName = ({ name }: TopicFacts, error: unknown): unknown =>
  error instanceof MessageProblem ? topicRefused(name, error.message) : error;

const messageAt = async ({ access, treatments }: BagSource, place: FramePlace): Promise<ImageMessage> => {
  const content = await access.message(place.at, place.inChunk);
  const treatment = treatments.get(place.channelId) as Extract<Treatment, { kind: 'hide' }>;
  return treatment.read(content.subarray(MESSAGE_HEAD));
};

async function* unitsOf(source: BagSource, places: readonly FramePlace[]): AsyncGenerator<StreamUnit> {
  for (const [index, place] of places.entries()) {
    const { data } = await messageAt(source, place);
    yield { index, isKey: place.isKey ?? false, data };
  }
}

/** A frame of a topic, by its number. */
interface Image {
  readonly index: number;
  readonly isKey: boolean;
  readonly raster: Raster;
}

async function* videoImages(source: BagSource, { facts, frames, lead }: HiddenTopic): AsyncGenerator<Image> {
  // Loaded with the first video.
  const { decodeStream } = await import('./video/video-stream');
  for await (const { index: unit, isKey, raster } of decodeStream(
    unitsOf(source, [...lead, ...frames]),
    facts.video!.codec,
  )) {
    const index = unit - lead.length;
    if (raster.width !== facts.size!.width || raster.height !== facts.size!.height) {
      throw new MessageProblem('its images have different sizes');
    }
    if (index >= 0) yield { index, isKey: isKey || index === 0, raster };
  }
}

async function* fileImages(
  source: BagSource,
  { frames }: Pick<HiddenTopic, 'frames'>,
): AsyncGenerator<Image> {
  for (const [index, place] of frames.entries()) {
    const raster = await decodeImage(await messageAt(source, place), source.request);
    yield { index, isKey: true, raster };
  }
}

/** The frames of a topic in the order of their stamps. */
export async function* framesOf(
  source: BagSource,
  topic: HiddenTopic,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  const times = timesOf(topic.frames);
  const images = topic.facts.video ? videoImages(source, topic) : fileImages(source, topic);
  try {
    for await (const { index, raster } of images) {
      signal.throwIfAborted();
      const timestampUs = times[index]!;
      const durationUs = index + 1 < times.length ? times[index + 1]! - timestampUs : USUAL_FRAME_US;
      yield { index, timestampUs, durationUs, raster };
    }
  } catch (error) {
    throw withTopicName(topic.facts, error);
  }
}

/** The access units of a topic with hidden frames, as H.264. @param at number of the topic */
export async function* hiddenUnits(
  source: BagSource & { readonly firstTime: bigint },
  topic: HiddenTopic,
  at: number,
  hide: (frame: BagFrame) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const { encodeStream } = await import('./video/video-stream');
  const hidden = async function* (): AsyncGenerator<Image> {
    for await (const image of videoImages(source, topic)) {
      const { index, raster } = image;
      const recordedUs = Number(topic.frames[index]!.logTime - source.firstTime) / NS_PER_US;
      await hide({ topic: at, index, recordedUs, raster });
      yield image;
    }
  };
  yield* encodeStream(hidden(), topic.facts.size!);
}

/** The size of a video, which its first frame says. @throws MessageProblem */
const sizeOfVideo = async (source: BagSource, { frames, video }: TopicFacts): Promise<Size | undefined> => {
  const { decodeStream } = await import('./video/video-stream');
  for await (const { raster } of decodeStream(unitsOf(source, frames), video!.codec)) {
    const { width, height } = raster;
    requireSize(raster, source.request.limits);
    if (width % 2 !== 0 || height % 2 !== 0) throw new MessageProblem('its video has an odd size');
    return { width, height };
  }
  return undefined;
};

/** What reads the frames of topics before their treatment is decided. */
const undecided = (source: Omit<BagSource, 'treatments'>, { channels }: TopicSurvey): BagSource => ({
  ...source,
  treatments: new Map(
    [...channels].flatMap(([id, { read, topic }]) =>
      read ? [[id, { kind: 'hide', topic, read }] as const] : [],
    ),
  ),
});

/** Finds the sizes of the topics with video. */
export const probeVideos = async (
  source: Omit<BagSource, 'treatments'>,
  survey: TopicSurvey,
): Promise<void> => {
  const readers = undecided(source, survey);
  for (const topic of survey.topics.values()) {
    if (!topic.video || topic.problem !== undefined) continue;
    try {
      topic.size = await sizeOfVideo(readers, topic);
    } catch (error) {
      if (!(error instanceof MessageProblem)) throw error;
      topic.problem = error.message;
    }
  }
};

/** Frames of a topic that are tried: a camera that starts may have sent a few damaged ones. */
const TRIED_FRAMES = 5;

const decoded = async (frames: AsyncIterable<Pick<Image, 'raster'>>): Promise<Raster | undefined> => {
  try {
    for await (const { raster } of frames) return raster;
  } catch (error) {
    if (!(error instanceof MessageProblem)) throw error;
  }
  return undefined;
};

/** The first frame of a topic that can be decoded, whatever else is wrong with the topic; undefined: there is none. */
export const firstImage = async (
  source: Omit<BagSource, 'treatments'>,
  topic: TopicFacts,
  survey: TopicSurvey,
): Promise<Raster | undefined> => {
  const readers = undecided(source, survey);
  if (topic.video) {
    const { decodeStream } = await import('./video/video-stream');
    return decoded(decodeStream(unitsOf(readers, topic.frames), topic.video.codec));
  }
  for (const frame of topic.frames.slice(0, TRIED_FRAMES)) {
    const raster = await decoded(fileImages(readers, { frames: [frame] }));
    if (raster) return raster;
  }
  return undefined;
};
