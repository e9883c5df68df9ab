import type { BagRequest } from '../../ports/bag';
import type { ByteSource } from '../../ports/video';
import { createChecksum, readPieces, readRecords, recordsIn, type BagRecord } from './bag-file';
import { createChannels, type Channels } from './channels';
import type { ChunkCoding } from './chunk-coding';
import { damagedBag, readFields } from './fields';
import {
  MESSAGE_HEAD,
  OPCODE,
  parseAttachmentHead,
  parseChunk,
  parseHeader,
  parseMessageHead,
  type AttachmentHead,
} from './records';
import { createTopicSurvey, type TopicSurvey } from './topics';

/** What the first reading of a bag has found. */
export interface BagSurvey {
  readonly profile: string;
  readonly channels: Channels;
  readonly topics: TopicSurvey;
  /** When the first message was recorded, in nanoseconds; undefined: there are no messages. */
  readonly firstTime: bigint | undefined;
  readonly lastTime: bigint;
  /** Offsets and heads of attachments that may stay. */
  readonly keptAttachments: ReadonlySet<number>;
  readonly droppedAttachments: readonly string[];
}

const TEXTUAL = /^(text\/|application\/(json|yaml|x-yaml|toml|xml)\b)/i;
const CRC_BYTES = 4;

/** Whether all of an attachment is UTF-8 text without the zeros that files of other kinds have. */
const isText = async (source: ByteSource, record: BagRecord, head: AttachmentHead): Promise<boolean> => {
  if (!TEXTUAL.test(head.mediaType)) return false;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const dataEnd = record.contentBytes - CRC_BYTES;
  let left = head.dataBytes;
  let skip = dataEnd - left;
  try {
    for await (const piece of readPieces(source, record)) {
      const data = piece.subarray(Math.min(skip, piece.length)).subarray(0, left);
      skip = Math.max(0, skip - piece.length);
      left -= data.length;
      if (decoder.decode(data, { stream: true }).includes('\0')) return false;
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
};

/**
 * Reads a whole bag for the first time: all sizes and checksums, all channels, and where the images are.
 *
 * @throws UnreadableFile
 */
export const surveyBag = async (
  source: ByteSource,
  request: BagRequest,
  { coding, noVideo }: { readonly coding: ChunkCoding; readonly noVideo: string | undefined },
  signal: AbortSignal,
): Promise<BagSurvey> => {
  const channels = createChannels();
  const topics = createTopicSurvey(request, noVideo);
  const checksum = createChecksum();
  const keptAttachments = new Set<number>();
  const droppedAttachments: string[] = [];
  let profile = '';
  let firstTime: bigint | undefined;
  let lastTime = 0n;

  const takeAttachment = async (record: BagRecord): Promise<void> => {
    const head = parseAttachmentHead(record.content);
    if (head.dataBytes + CRC_BYTES > record.contentBytes) throw damagedBag('an attachment is cut off');
    const isKept = request.options.keepAttachments || (await isText(source, record, head));
    if (isKept) keptAttachments.add(record.at);
    else droppedAttachments.push(head.name);
  };
  /** A record outside of a chunk, or in the one at `chunkAt`. */
  const take = async ({ opcode, at, content }: BagRecord, chunkAt?: number): Promise<void> => {
    if (opcode === OPCODE.schema) channels.addSchema(content);
    else if (opcode === OPCODE.channel) {
      const added = channels.addChannel(content);
      if (added) await topics.addChannel(added);
    } else if (opcode === OPCODE.message) {
      const { channelId, logTime } = parseMessageHead(content);
      channels.get(channelId);
      if (firstTime === undefined || logTime < firstTime) firstTime = logTime;
      if (logTime > lastTime) lastTime = logTime;
      const place = chunkAt === undefined ? { at, inChunk: undefined } : { at: chunkAt, inChunk: at };
      await topics.takeMessage(channelId, content.subarray(MESSAGE_HEAD), { ...place, logTime });
    }
  };
  for await (const record of readRecords(source, signal, checksum.add)) {
    const { opcode, at, content } = record;
    if (opcode === OPCODE.header) ({ profile } = parseHeader(content));
    else if (opcode === OPCODE.chunk) {
      const chunk = await coding.unpack(parseChunk(content));
      for (const inner of recordsIn(chunk)) await take(inner, at);
    } else if (opcode === OPCODE.attachment) await takeAttachment(record);
    else if (opcode === OPCODE.dataEnd) {
      const stated = readFields(content).u32();
      if (stated !== 0 && stated !== checksum.value()) throw damagedBag('the checksum of its data is wrong');
    } else await take(record);
  }
  return { profile, channels, topics, firstTime, lastTime, keptAttachments, droppedAttachments };
};
