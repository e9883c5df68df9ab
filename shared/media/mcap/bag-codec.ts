import { UnreadableFile } from '../../domain/failure';
import { US_PER_SECOND } from '../../domain/plan';
import { joinBytes } from '../../engine/formats/bytes';
import type { BagCodec, BagFrame, BagReader, BagRequest } from '../../ports/bag';
import type { ByteSource, VideoFrame } from '../../ports/video';
import {
  createRecordAccess,
  readPieces,
  readRecords,
  recordsIn,
  type BagRecord,
  type RecordAccess,
} from './bag-file';
import { createChunkCoding, type ChunkCoding, type LoadZstd } from './chunk-coding';
import { MessageProblem } from './messages/image-message';
import { decodeImage, encodeImage, isDepth } from './pictures';
import {
  MESSAGE_HEAD,
  OPCODE,
  parseChannel,
  parseChunk,
  parseMessageHead,
  type MessageHead,
} from './records';
import { surveyBag, type BagSurvey } from './survey-bag';
import { decideTreatments, topicRefused, type FramePlace, type TopicFacts, type Treatment } from './topics';
import { createBagWriter } from './write-bag';

const NS_PER_US = 1000;
const NS_PER_SECOND = 1e9;
/** Duration of a frame without another one behind it. */
const USUAL_FRAME_US = US_PER_SECOND / 30;

/** Whether a message was recorded in the wanted part of the bag. */
type IsWanted = (logTime: bigint) => boolean;

const wantedPart = ({ firstTime = 0n }: BagSurvey, { options }: BagRequest): IsWanted => {
  const { startS = 0, endS = Infinity } = options;
  return (logTime) => {
    const seconds = Number(logTime - firstTime) / NS_PER_SECOND;
    return seconds >= startS && seconds < endS;
  };
};

/** A topic of which all frames in the wanted part are hidden. */
interface HiddenTopic {
  readonly facts: TopicFacts;
  /** By stamp. */
  readonly frames: readonly FramePlace[];
  /** Numbers of frames by where they are: see `keyOf`. */
  readonly numbers: ReadonlyMap<string, number>;
}

const keyOf = ({ at, inChunk }: Pick<FramePlace, 'at' | 'inChunk'>): string => `${at}.${inChunk ?? ''}`;

const hiddenTopics = (
  treatments: ReadonlyMap<number, Treatment>,
  isWanted: IsWanted,
): readonly HiddenTopic[] => {
  const all = [...treatments.values()].flatMap((one) => (one.kind === 'hide' ? [one.topic] : []));
  return [...new Set(all)]
    .map((facts) => {
      const frames = facts.frames
        .filter(({ logTime }) => isWanted(logTime))
        .sort((a, b) => (a.stamp < b.stamp ? -1 : a.stamp > b.stamp ? 1 : 0));
      return { facts, frames, numbers: new Map(frames.map((frame, index) => [keyOf(frame), index])) };
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

const topicsOf = (
  treatments: ReadonlyMap<number, Treatment>,
  { channels }: BagSurvey,
  kind: Treatment['kind'],
): string[] => [
  ...new Set([...treatments].flatMap(([id, one]) => (one.kind === kind ? [channels.get(id).topic] : []))),
];

/** A damaged image that only its decoder has found. */
const naming = (topic: string, error: unknown): unknown =>
  error instanceof MessageProblem ? topicRefused(topic, error.message) : error;

/** An opened bag, and how its parts are treated. */
interface OpenedBag {
  readonly source: ByteSource;
  readonly request: BagRequest;
  readonly coding: ChunkCoding;
  /** Of all topics, which are read near each other. */
  readonly access: RecordAccess;
  readonly survey: BagSurvey;
  readonly treatments: ReadonlyMap<number, Treatment>;
  readonly topics: readonly HiddenTopic[];
  readonly isWanted: IsWanted;
}

async function* framesOf(
  bag: OpenedBag,
  topic: HiddenTopic,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  const { access, treatments, request } = bag;
  const times = timesOf(topic.frames);
  for (const [index, place] of topic.frames.entries()) {
    signal.throwIfAborted();
    const treatment = treatments.get(place.channelId) as Extract<Treatment, { kind: 'hide' }>;
    try {
      const content = await access.message(place.at, place.inChunk);
      const raster = await decodeImage(treatment.read(content.subarray(MESSAGE_HEAD)), request);
      const timestampUs = times[index]!;
      const durationUs = index + 1 < times.length ? times[index + 1]! - timestampUs : USUAL_FRAME_US;
      yield { index, timestampUs, durationUs, raster };
    } catch (error) {
      throw naming(topic.facts.name, error);
    }
  }
}

const bagChanged = (): UnreadableFile => new UnreadableFile('The bag was changed while it was read.');

/** Hides the image of a message. @returns the fields of its record */
const hideMessage = async (
  bag: OpenedBag,
  { content, place }: { readonly content: Uint8Array; readonly place: Pick<FramePlace, 'at' | 'inChunk'> },
  { topic, read }: Extract<Treatment, { kind: 'hide' }>,
  hide: (frame: BagFrame) => Promise<void>,
): Promise<Uint8Array> => {
  const { topics, request, survey } = bag;
  const message = read(content.subarray(MESSAGE_HEAD));
  if (message.data.length === 0) return content;
  const at = topics.findIndex(({ facts }) => facts === topic);
  const index = topics[at]?.numbers.get(keyOf(place));
  if (index === undefined || isDepth(message)) throw bagChanged();
  try {
    const raster = await decodeImage(message, request);
    const { logTime } = parseMessageHead(content);
    const recordedUs = Number(logTime - (survey.firstTime ?? 0n)) / NS_PER_US;
    await hide({ topic: at, index, recordedUs, raster });
    const data = await encodeImage(message, raster, request);
    return joinBytes([content.subarray(0, MESSAGE_HEAD), message.withData(data)]);
  } catch (error) {
    throw naming(topic.name, error);
  }
};

const createCopy =
  (bag: OpenedBag): BagReader['copy'] =>
  async (target, hide, signal) => {
    const { source, coding, survey, treatments, isWanted } = bag;
    const writer = createBagWriter(target, coding);
    const copyMessage = async (
      content: Uint8Array,
      place: Pick<FramePlace, 'at' | 'inChunk'>,
    ): Promise<void> => {
      const head: MessageHead = parseMessageHead(content);
      const treatment = treatments.get(head.channelId);
      if (!treatment) throw bagChanged();
      if (treatment.kind === 'drop' || !isWanted(head.logTime)) return;
      const copied =
        treatment.kind === 'hide' ? await hideMessage(bag, { content, place }, treatment, hide) : content;
      await writer.add(OPCODE.message, copied);
    };
    const copyRecord = async ({ opcode, at, content }: BagRecord, chunkAt?: number): Promise<void> => {
      signal.throwIfAborted();
      if (opcode === OPCODE.message) {
        return copyMessage(
          content,
          chunkAt === undefined ? { at, inChunk: undefined } : { at: chunkAt, inChunk: at },
        );
      }
      if (opcode === OPCODE.channel && treatments.get(parseChannel(content).id)?.kind === 'drop') return;
      // All others are made anew, or unknown.
      const isMetadata = opcode === OPCODE.metadata && chunkAt === undefined;
      if (opcode === OPCODE.schema || opcode === OPCODE.channel || isMetadata) {
        await writer.add(opcode, content);
      }
    };
    await writer.begin(survey.profile);
    for await (const record of readRecords(source, signal)) {
      if (record.opcode === OPCODE.chunk) {
        const packed = parseChunk(record.content);
        const chunk = await coding.unpack(packed);
        writer.beginChunk();
        for (const inner of recordsIn(chunk)) await copyRecord(inner, record.at);
        await writer.endChunk(packed.compression);
      } else if (record.opcode === OPCODE.attachment) {
        if (survey.keptAttachments.has(record.at)) {
          await writer.addAttachment(record.contentBytes, readPieces(source, record));
        }
      } else await copyRecord(record);
    }
    await writer.end();
  };

/**
 * The codec for MCAP bags.
 *
 * @param loadZstd undefined where the host has none
 */
export const createBagCodec = (loadZstd?: LoadZstd): BagCodec => ({
  open: async (source, request, signal) => {
    const coding = createChunkCoding(loadZstd);
    const survey = await surveyBag(source, request, coding, signal);
    const { options } = request;
    const treatments = decideTreatments(survey.topics, options);
    const isWanted = wantedPart(survey, request);
    const topics = hiddenTopics(treatments, isWanted);
    const access = createRecordAccess(source, coding);
    const bag = { source, request, coding, access, survey, treatments, topics, isWanted };
    return {
      facts: {
        topics: topics.map(({ facts, frames }) => ({
          name: facts.name,
          frames: frames.length,
          ...facts.size!,
        })),
        keptTopics: topicsOf(treatments, survey, 'keep').filter((name) => options.keepTopics.includes(name)),
        droppedTopics: topicsOf(treatments, survey, 'drop'),
        droppedAttachments: survey.droppedAttachments,
      },
      frames: (topic, each) => framesOf(bag, topics[topic]!, each),
      copy: createCopy(bag),
    };
  },
});
