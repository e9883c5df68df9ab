import { UnreadableFile } from '../../domain/failure';
import { joinBytes } from '../../engine/formats/bytes';
import type { BagCodec, BagFrame, BagReader, BagRequest } from '../../ports/bag';
import type { ByteSource } from '../../ports/video';
import { createRecordAccess, readPieces, readRecords, recordsIn, type BagRecord } from './bag-file';
import {
  framesOf,
  hiddenTopics,
  hiddenUnits,
  keyOf,
  withTopicName,
  probeVideos,
  type BagSource,
  type HiddenTopic,
  type IsWanted,
} from './frames';
import { createChunkCoding, type ChunkCoding, type LoadZstd } from './chunk-coding';
import { MessageProblem } from './messages/image-message';
import { listBag } from './list-bag';
import { decodeImage, encodeImage, isDepth } from './images';
import {
  MESSAGE_HEAD,
  OPCODE,
  parseChannel,
  parseChunk,
  parseMessageHead,
  type MessageHead,
} from './records';
import { surveyBag, type BagSurvey } from './survey-bag';
import { decideTreatments, type FramePlace, type Treatment } from './topics';
import { createBagWriter } from './write-bag';

const NS_PER_US = 1000;
const NS_PER_SECOND = 1e9;

const wantedPart = ({ firstTime = 0n }: BagSurvey, { options }: BagRequest): IsWanted => {
  const { startS = 0, endS = Infinity } = options;
  return (logTime) => {
    const seconds = Number(logTime - firstTime) / NS_PER_SECOND;
    return seconds >= startS && seconds < endS;
  };
};

const topicsOf = (
  treatments: ReadonlyMap<number, Treatment>,
  { channels }: BagSurvey,
  kind: Treatment['kind'],
): string[] => [
  ...new Set([...treatments].flatMap(([id, one]) => (one.kind === kind ? [channels.get(id).topic] : []))),
];

/** An opened bag, and how its parts are treated. */
interface OpenedBag extends BagSource {
  readonly source: ByteSource;
  readonly coding: ChunkCoding;
  readonly survey: BagSurvey;
  readonly topics: readonly HiddenTopic[];
  readonly isWanted: IsWanted;
}

const bagChanged = (): UnreadableFile => new UnreadableFile('The bag was changed while it was read.');

/** The encoded units of the topics with video, each read as far as messages of it are copied. */
type HiddenStreams = Map<HiddenTopic, AsyncGenerator<Uint8Array>>;

/** A message that is copied. */
interface CopiedMessage {
  readonly content: Uint8Array;
  readonly place: Pick<FramePlace, 'at' | 'inChunk'>;
}

/** What hides frames while a bag is copied. */
interface Hiding {
  readonly hide: (frame: BagFrame) => Promise<void>;
  readonly streams: HiddenStreams;
}

const nextUnit = async (bag: OpenedBag, at: number, { hide, streams }: Hiding): Promise<Uint8Array> => {
  const topic = bag.topics[at]!;
  const { firstTime = 0n } = bag.survey;
  const stream = streams.get(topic) ?? hiddenUnits({ ...bag, firstTime }, topic, at, hide);
  streams.set(topic, stream);
  const { done, value } = await stream.next();
  if (done) throw new MessageProblem('a frame of its video cannot be encoded');
  return value;
};

/** Hides the image of a message. @returns the fields of its record; undefined: it is left out */
const hideMessage = async (
  bag: OpenedBag,
  { content, place }: CopiedMessage,
  { topic, read }: Extract<Treatment, { kind: 'hide' }>,
  hiding: Hiding,
): Promise<Uint8Array | undefined> => {
  const { topics, request, survey } = bag;
  const message = read(content.subarray(MESSAGE_HEAD));
  if (message.data.length === 0) return content;
  const at = topics.findIndex(({ facts }) => facts === topic);
  const index = topics[at]?.numbers.get(keyOf(place));
  const head = content.subarray(0, MESSAGE_HEAD);
  // Nobody can decode what precedes the first key frame.
  if (index === undefined && message.kind === 'video') return undefined;
  if (index === undefined || isDepth(message)) throw bagChanged();
  try {
    if (message.kind === 'video') {
      return joinBytes([head, message.withData(await nextUnit(bag, at, hiding), 'h264')]);
    }
    const raster = await decodeImage(message, request);
    const { logTime } = parseMessageHead(content);
    const recordedUs = Number(logTime - (survey.firstTime ?? 0n)) / NS_PER_US;
    await hiding.hide({ topic: at, index, recordedUs, raster });
    return joinBytes([head, message.withData(await encodeImage(message, raster, request))]);
  } catch (error) {
    throw withTopicName(topic, error);
  }
};

const createCopy =
  (bag: OpenedBag): BagReader['copy'] =>
  async (target, hide, signal) => {
    const { source, coding, survey, treatments, isWanted } = bag;
    const writer = createBagWriter(target, coding);
    const streams: HiddenStreams = new Map();
    const copyMessage = async (
      content: Uint8Array,
      place: Pick<FramePlace, 'at' | 'inChunk'>,
    ): Promise<void> => {
      const head: MessageHead = parseMessageHead(content);
      const treatment = treatments.get(head.channelId);
      if (!treatment) throw bagChanged();
      if (treatment.kind === 'drop' || !isWanted(head.logTime)) return;
      const copied =
        treatment.kind === 'hide'
          ? await hideMessage(bag, { content, place }, treatment, { hide, streams })
          : content;
      if (copied) await writer.add(OPCODE.message, copied);
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
    const copyFileRecord = async (record: BagRecord): Promise<void> => {
      if (record.opcode === OPCODE.chunk) {
        const packed = parseChunk(record.content);
        const chunk = await coding.unpack(packed);
        writer.beginChunk(chunk.length);
        for (const inner of recordsIn(chunk)) await copyRecord(inner, record.at);
        await writer.endChunk(packed.compression);
      } else if (record.opcode !== OPCODE.attachment) await copyRecord(record);
      else if (survey.keptAttachments.has(record.at)) {
        await writer.addAttachment(record.contentBytes, readPieces(source, record));
      }
    };
    try {
      await writer.begin(survey.profile);
      for await (const record of readRecords(source, signal)) await copyFileRecord(record);
      await writer.end();
    } finally {
      await Promise.allSettled([...streams.values()].map((stream) => stream.return(undefined)));
    }
  };

/** What a host offers for bags. */
export interface BagHost {
  /** Undefined: it has no Zstandard. */
  readonly loadZstd?: LoadZstd | undefined;
  /** Makes WebCodecs global, with units in the form of Annex B, until it is released; undefined: it has none. */
  readonly loadVideo?: (() => Promise<() => void>) | undefined;
  /** Why there is none, as a clause. */
  readonly noVideo?: string;
}

const NO_PACKAGE = 'its video is read only where the npm package @napi-rs/webcodecs is installed';

const openBag = async (
  [source, request, signal]: Parameters<BagCodec['open']>,
  how: Parameters<typeof surveyBag>[2],
): Promise<Omit<BagReader, 'close'>> => {
  const { coding } = how;
  const survey = await surveyBag(source, request, how, signal);
  const { options } = request;
  const access = createRecordAccess(source, coding);
  await probeVideos({ request, access }, survey.topics);
  const treatments = decideTreatments(survey.topics, options);
  const isWanted = wantedPart(survey, request);
  const topics = hiddenTopics(treatments, isWanted);
  const bag = { source, request, coding, access, survey, treatments, topics, isWanted };
  const hidden = [...treatments.values()].flatMap((one) => (one.kind === 'hide' ? [one.topic] : []));
  const withImages = [...survey.topics.channels].filter(
    ([, { read, named }]) => read !== undefined || named !== undefined,
  );
  const treated = new Map(withImages.map(([id]) => [id, treatments.get(id)!]));
  return {
    facts: {
      topics: topics.map(({ facts, frames }) => ({
        name: facts.name,
        frames: frames.length,
        ...facts.size!,
      })),
      hasImages: treated.size > 0,
      keptTopics: topicsOf(treated, survey, 'keep'),
      droppedTopics: topicsOf(treated, survey, 'drop'),
      droppedAttachments: survey.droppedAttachments,
      lostFrames: [...new Set(hidden)].reduce((sum, { lostFrames }) => sum + lostFrames, 0),
    },
    frames: (topic, each) => framesOf(bag, topics[topic]!, each),
    copy: createCopy(bag),
  };
};

/** The codec for MCAP bags. */
export const createBagCodec = ({ loadZstd, loadVideo, noVideo = NO_PACKAGE }: BagHost = {}): BagCodec => {
  const how = { coding: createChunkCoding(loadZstd), noVideo: loadVideo ? undefined : noVideo };
  return {
    open: async (...args) => {
      const release = await loadVideo?.();
      const close = (): void => release?.();
      try {
        return { ...(await openBag(args, how)), close };
      } catch (error) {
        close();
        throw error;
      }
    },
    list: async (...args) => {
      const release = await loadVideo?.();
      try {
        return await listBag(args, how);
      } finally {
        release?.();
      }
    },
  };
};
