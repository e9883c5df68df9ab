import type { BagContents, ListedTopic, TopicKind } from '../../domain/bag';
import type { Raster } from '../../domain/raster';
import { createPyramid } from '../../engine/pixels/pyramid';
import type { BagCodec, BagRequest } from '../../ports/bag';
import { createRecordAccess } from './bag-file';
import { firstImage, probeVideos } from './frames';
import { surveyBag } from './survey-bag';
import { problemOf, type TopicFacts, type TopicSurvey } from './topics';

const NS_PER_SECOND = 1e9;
/** Longest side of a preview, about twice what it has on the screen. */
const PREVIEW_PX = 480;
const PREVIEW_QUALITY = 80;

const makePreview = async (raster: Raster, { codec }: BagRequest): Promise<Uint8Array> => {
  const longest = Math.max(raster.width, raster.height);
  const halvings = Math.max(0, Math.ceil(Math.log2(longest / PREVIEW_PX)));
  return codec.encodeLossy('jpeg', createPyramid(raster).level(halvings), PREVIEW_QUALITY);
};

type Surveyed = NonNullable<ReturnType<TopicSurvey['channels']['get']>>;

/** As `decideTreatments` would decide without names. */
const kindOf = (topic: TopicFacts, channels: readonly Surveyed[]): TopicKind => {
  if (problemOf(topic) !== undefined) return 'unread';
  if (topic.depthImages > 0) return 'depth';
  return channels.some(({ read }) => read) ? 'images' : 'other';
};

const secondsOf = (channels: readonly Surveyed[]): number => {
  const times = channels.flatMap(({ times: own }) => (own ? [own] : []));
  const [first] = times;
  if (!first) return 0;
  const start = times.reduce((earliest, [time]) => (time < earliest ? time : earliest), first[0]);
  const end = times.reduce((latest, [, time]) => (time > latest ? time : latest), first[1]);
  return Number(end - start) / NS_PER_SECOND;
};

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

const describeTopic = (topic: TopicFacts, { channels }: TopicSurvey): ListedTopic => {
  const own = [...channels.values()].filter((one) => one.topic === topic);
  const { name, format, size } = topic;
  const problem = problemOf(topic);
  return {
    name,
    kind: kindOf(topic, own),
    schemas: unique(own.map(({ channel }) => channel.schema?.name ?? '')),
    encodings: unique(own.map(({ channel }) => channel.messageEncoding)),
    ...(format !== undefined && { format }),
    ...(size && { size }),
    messages: own.reduce((sum, { messages }) => sum + messages, 0),
    durationS: secondsOf(own),
    ...(problem !== undefined && { problem }),
  };
};

/** Reads a bag as a run without names would, but refuses no topic. @throws UnreadableFile */
export const listBag = async (
  [source, request, signal]: Parameters<BagCodec['list']>,
  how: Parameters<typeof surveyBag>[2],
): Promise<BagContents> => {
  const { topics: survey, firstTime = 0n, ...rest } = await surveyBag(source, request, how, signal);
  const reading = { request, access: createRecordAccess(source, how.coding) };
  await probeVideos(reading, survey);
  const topics: ListedTopic[] = [];
  for (const topic of survey.topics.values()) {
    signal.throwIfAborted();
    const raster = await firstImage(reading, topic, survey);
    const preview = raster && { preview: await makePreview(raster, request) };
    topics.push({ ...describeTopic(topic, survey), ...preview });
  }
  return {
    topics,
    durationS: Math.max(0, Number(rest.lastTime - firstTime) / NS_PER_SECOND),
    unkeptAttachments: rest.droppedAttachments,
  };
};
