import { VERSION } from '../../domain/version';
import { crc32, joinBytes } from '../../engine/formats/bytes';
import type { ByteTarget } from '../../ports/video';
import type { ChunkCoding } from './chunk-coding';
import { text, u32, u64 } from './fields';
import { createGrowingBytes, type GrowingBytes } from './growing-bytes';
import {
  attachmentIndexRecord,
  chunkIndexRecord,
  MAGIC,
  messageEntry,
  messageIndexRecord,
  metadataIndexRecord,
  OPCODE,
  parseAttachmentHead,
  parseChannel,
  parseMessageHead,
  parseMetadataName,
  parseSchema,
  record,
  RECORD_HEAD,
  statisticsRecord,
  type ChunkEntry,
  type MessageHead,
  type LogTimes,
} from './records';

/** A message to the host of this size occupies it for about a millisecond. */
const PIECE_BYTES = 1024 ** 2;

/** Writes bytes one after another, in pieces of one size. @param target undefined: they are only counted */
const createOutput = (target: ByteTarget | undefined) => {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let written = 0;
  let crc = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      await target?.write(written, piece);
      written += piece.length;
    }
  };
  const flush = async (): Promise<void> => {
    const bytes = joinBytes(waiting);
    waiting = [];
    waitingBytes = 0;
    await write(bytes);
  };
  return {
    put: async (bytes: Uint8Array): Promise<void> => {
      crc = crc32(bytes, crc);
      if (bytes.length >= PIECE_BYTES) {
        // Not joined with others: that would copy whole chunks.
        await flush();
        return write(bytes);
      }
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= PIECE_BYTES) await flush();
    },
    position: (): number => written + waitingBytes,
    /** @returns the checksum of all bytes since the last call */
    takeChecksum: (): number => {
      const value = crc;
      crc = 0;
      return value;
    },
    flush,
  };
};

/** Collects the time span of messages. */
const createSpan = () => {
  let [startTime, endTime] = [0n, 0n];
  let isEmpty = true;
  return {
    add: (time: bigint): void => {
      if (isEmpty || time < startTime) startTime = time;
      if (isEmpty || time > endTime) endTime = time;
      isEmpty = false;
    },
    value: (): LogTimes => ({ startTime, endTime }),
  };
};

/** Records that will be a chunk. @param expectedBytes of all of them */
const createChunk = (expectedBytes: number) => {
  const records = createGrowingBytes(expectedBytes);
  const lists = new Map<number, GrowingBytes>();
  const span = createSpan();
  return {
    lists,
    span: span.value,
    bytes: records.bytes,
    /** @param head of a message; absent for other records */
    add: (bytes: Uint8Array, head?: MessageHead): void => {
      if (head) {
        const list = lists.get(head.channelId) ?? createGrowingBytes();
        lists.set(head.channelId, list);
        list.add(messageEntry(head.logTime, records.length()));
        span.add(head.logTime);
      }
      records.add(bytes);
    },
  };
};

/** What the summary repeats or lists. */
const createSummary = () => ({
  schemas: new Map<number, Uint8Array>(),
  channels: new Map<number, Uint8Array>(),
  messages: new Map<number, number>(),
  chunks: [] as ChunkEntry[],
  attachments: [] as Uint8Array[],
  metadata: [] as Uint8Array[],
  span: createSpan(),
});

type Summary = ReturnType<typeof createSummary>;

/** The groups of the summary, each with its type. */
const summaryGroups = (
  summary: Summary,
): readonly (readonly [opcode: number, records: readonly Uint8Array[]])[] => {
  const { schemas, channels, messages, chunks, attachments, metadata, span } = summary;
  const statistics = statisticsRecord({
    ...{ schemas: schemas.size, channels: channels.size, attachments: attachments.length },
    ...{ metadata: metadata.length, chunks: chunks.length, messages, ...span.value() },
  });
  return [
    [OPCODE.schema, [...schemas.values()]],
    [OPCODE.channel, [...channels.values()]],
    [OPCODE.statistics, [statistics]],
    [OPCODE.chunkIndex, chunks.map(chunkIndexRecord)],
    [OPCODE.attachmentIndex, attachments],
    [OPCODE.metadataIndex, metadata],
  ];
};

type Output = ReturnType<typeof createOutput>;

/** Writes a chunk and the list of its messages. */
const putChunk = async (
  output: Output,
  chunk: ReturnType<typeof createChunk>,
  compression: string,
  coding: ChunkCoding,
): Promise<ChunkEntry> => {
  const bytes = chunk.bytes();
  const packed = await coding.pack(bytes, compression);
  const { startTime, endTime } = chunk.span();
  const at = output.position();
  const head = [u64(startTime), u64(endTime), u64(bytes.length), u32(crc32(bytes)), text(compression)];
  const fields = joinBytes([...head, u64(packed.length)]);
  await output.put(joinBytes([Uint8Array.of(OPCODE.chunk), u64(fields.length + packed.length), fields]));
  await output.put(packed);
  const indexAt = output.position();
  const indexes = new Map<number, number>();
  for (const [channel, list] of chunk.lists) {
    indexes.set(channel, output.position());
    await output.put(messageIndexRecord(channel, list.bytes()));
  }
  return {
    ...{ at, recordBytes: indexAt - at, startTime, endTime, indexes, compression },
    ...{ indexBytes: output.position() - indexAt, packedBytes: packed.length, sizeBytes: bytes.length },
  };
};

/** Ends the data, and writes the summary behind them. */
const putEnd = async (output: Output, summary: Summary): Promise<void> => {
  await output.put(record(OPCODE.dataEnd, u32(output.takeChecksum())));
  output.takeChecksum();
  const summaryAt = output.position();
  const offsets: Uint8Array[] = [];
  for (const [opcode, records] of summaryGroups(summary)) {
    const at = output.position();
    for (const each of records) await output.put(each);
    const length = output.position() - at;
    if (length === 0) continue;
    offsets.push(record(OPCODE.summaryOffset, Uint8Array.of(opcode), u64(at), u64(length)));
  }
  const offsetsAt = output.position();
  for (const each of offsets) await output.put(each);
  // The checksum covers the footer up to itself.
  const footer = record(OPCODE.footer, u64(summaryAt), u64(offsetsAt), u32(0)).subarray(0, -4);
  await output.put(footer);
  await output.put(u32(output.takeChecksum()));
  await output.put(MAGIC);
  await output.flush();
};

/** Notes what the summary says of a record. @returns of a message its head */
const note = (summary: Summary, opcode: number, content: Uint8Array): MessageHead | undefined => {
  if (opcode === OPCODE.schema) summary.schemas.set(parseSchema(content).id, record(opcode, content));
  if (opcode === OPCODE.channel) summary.channels.set(parseChannel(content).id, record(opcode, content));
  if (opcode !== OPCODE.message) return undefined;
  const head = parseMessageHead(content);
  summary.messages.set(head.channelId, (summary.messages.get(head.channelId) ?? 0) + 1);
  summary.span.add(head.logTime);
  return head;
};

/** Writes a bag record by record; index, statistics and checksums are those of what was written. */
export const createBagWriter = (target: ByteTarget | undefined, coding: ChunkCoding) => {
  const output = createOutput(target);
  const summary = createSummary();
  let chunk: ReturnType<typeof createChunk> | undefined;
  return {
    begin: async (profile: string): Promise<void> => {
      await output.put(MAGIC);
      await output.put(record(OPCODE.header, text(profile), text(`veil ${VERSION}`)));
    },
    /** Adds a schema, a channel, a message or metadata: to the begun chunk, if there is one. */
    add: async (opcode: number, content: Uint8Array): Promise<void> => {
      const bytes = record(opcode, content);
      const head = note(summary, opcode, content);
      if (chunk) return chunk.add(bytes, head);
      const place = { at: output.position(), recordBytes: bytes.length };
      await output.put(bytes);
      if (opcode !== OPCODE.metadata) return;
      summary.metadata.push(metadataIndexRecord(place, parseMetadataName(content)));
    },
    /** Copies an attachment. @param pieces of its content; the first one has its head */
    addAttachment: async (contentBytes: number, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
      const place = { at: output.position(), recordBytes: RECORD_HEAD + contentBytes };
      await output.put(joinBytes([Uint8Array.of(OPCODE.attachment), u64(contentBytes)]));
      let isFirst = true;
      for await (const piece of pieces) {
        if (isFirst) summary.attachments.push(attachmentIndexRecord(place, parseAttachmentHead(piece)));
        isFirst = false;
        await output.put(piece);
      }
    },
    /** @param expectedBytes of its records */
    beginChunk: (expectedBytes?: number): void => void (chunk = createChunk(expectedBytes ?? 0)),
    /** Writes the begun chunk; nothing where it is empty. */
    endChunk: async (compression: string): Promise<void> => {
      const ended = chunk;
      chunk = undefined;
      if (!ended || ended.bytes().length === 0) return;
      summary.chunks.push(await putChunk(output, ended, compression, coding));
    },
    end: (): Promise<void> => putEnd(output, summary),
  };
};
