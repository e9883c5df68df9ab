import { joinBytes, viewOf } from '../../engine/formats/bytes';
import { counted, damagedBag, readFields, text, u16, u32, u64, u8 } from './fields';

/** Types of records. @see https://mcap.dev/spec */
export const OPCODE = {
  header: 0x01,
  footer: 0x02,
  schema: 0x03,
  channel: 0x04,
  message: 0x05,
  chunk: 0x06,
  messageIndex: 0x07,
  chunkIndex: 0x08,
  attachment: 0x09,
  attachmentIndex: 0x0a,
  statistics: 0x0b,
  metadata: 0x0c,
  metadataIndex: 0x0d,
  summaryOffset: 0x0e,
  dataEnd: 0x0f,
} as const;

export const MAGIC = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);

/** Bytes before the fields of a record: type and length. */
export const RECORD_HEAD = 9;
/** Bytes of a message before its data. */
export const MESSAGE_HEAD = 22;

/** A description of messages; its data are in a language that `encoding` names. */
export interface Schema {
  readonly id: number;
  readonly name: string;
  readonly encoding: string;
  readonly data: Uint8Array;
}

export interface Channel {
  readonly id: number;
  /** 0: it has none. */
  readonly schemaId: number;
  readonly topic: string;
  readonly messageEncoding: string;
}

/** Where a message stands, and when it was recorded, in nanoseconds. */
export interface MessageHead {
  readonly channelId: number;
  readonly logTime: bigint;
}

/** A chunk with its messages still compressed. */
export interface PackedChunk {
  readonly sizeBytes: number;
  /** CRC-32 of the unpacked records; 0: unknown. */
  readonly crc: number;
  readonly compression: string;
  readonly packed: Uint8Array;
}

export const parseHeader = (content: Uint8Array): { readonly profile: string } => ({
  profile: readFields(content).text(),
});

export const parseSchema = (content: Uint8Array): Schema => {
  const fields = readFields(content);
  const head = { id: fields.u16(), name: fields.text(), encoding: fields.text() };
  return { ...head, data: fields.bytes(fields.u32()) };
};

export const parseChannel = (content: Uint8Array): Channel => {
  const fields = readFields(content);
  return {
    id: fields.u16(),
    schemaId: fields.u16(),
    topic: fields.text(),
    messageEncoding: fields.text(),
  };
};

export const parseMessageHead = (content: Uint8Array): MessageHead => {
  if (content.length < MESSAGE_HEAD) throw damagedBag('a message is shorter than its head');
  const view = viewOf(content);
  return { channelId: view.getUint16(0, true), logTime: view.getBigUint64(6, true) };
};

export const parseChunk = (content: Uint8Array): PackedChunk => {
  const fields = readFields(content);
  fields.bytes(16); // times of its messages, which are counted anew
  const head = { sizeBytes: fields.size(), crc: fields.u32(), compression: fields.text() };
  return { ...head, packed: fields.bytes(fields.size()) };
};

/** What an attachment is called, and of what kind it says it is. */
export interface AttachmentHead {
  readonly logTime: bigint;
  readonly createTime: bigint;
  readonly name: string;
  readonly mediaType: string;
  readonly dataBytes: number;
}

/** @param content its beginning is enough */
export const parseAttachmentHead = (content: Uint8Array): AttachmentHead => {
  const fields = readFields(content);
  return {
    logTime: fields.u64(),
    createTime: fields.u64(),
    name: fields.text(),
    mediaType: fields.text(),
    dataBytes: fields.size(),
  };
};

export const parseMetadataName = (content: Uint8Array): string => readFields(content).text();

/** A record with its type and length. */
export const record = (opcode: number, ...fields: readonly Uint8Array[]): Uint8Array => {
  const length = fields.reduce((sum, field) => sum + field.length, 0);
  return joinBytes([u8(opcode), u64(length), ...fields]);
};

/** The time span of messages, in nanoseconds; 0 and 0 where there are none. */
export interface LogTimes {
  readonly startTime: bigint;
  readonly endTime: bigint;
}

/** What the index says of a chunk. */
export interface ChunkEntry extends LogTimes {
  readonly at: number;
  readonly recordBytes: number;
  /** Offsets of the lists of its messages, by channel. */
  readonly indexes: ReadonlyMap<number, number>;
  readonly indexBytes: number;
  readonly compression: string;
  readonly packedBytes: number;
  readonly sizeBytes: number;
}

export const chunkIndexRecord = (entry: ChunkEntry): Uint8Array =>
  record(
    OPCODE.chunkIndex,
    ...[u64(entry.startTime), u64(entry.endTime), u64(entry.at), u64(entry.recordBytes)],
    counted([...entry.indexes].map(([channel, at]) => joinBytes([u16(channel), u64(at)]))),
    ...[u64(entry.indexBytes), text(entry.compression), u64(entry.packedBytes), u64(entry.sizeBytes)],
  );

/** A message in the list of those of its channel in a chunk. @param offset in the unpacked chunk */
export const messageEntry = (logTime: bigint, offset: number): Uint8Array =>
  joinBytes([u64(logTime), u64(offset)]);

/** @param entries one after another */
export const messageIndexRecord = (channel: number, entries: Uint8Array): Uint8Array =>
  record(OPCODE.messageIndex, u16(channel), u32(entries.length), entries);

/** A record that an index names. */
export interface PlacedRecord {
  readonly at: number;
  readonly recordBytes: number;
}

export const attachmentIndexRecord = (
  { at, recordBytes }: PlacedRecord,
  { logTime, createTime, name, mediaType, dataBytes }: AttachmentHead,
): Uint8Array =>
  record(
    OPCODE.attachmentIndex,
    ...[u64(at), u64(recordBytes), u64(logTime), u64(createTime), u64(dataBytes)],
    ...[text(name), text(mediaType)],
  );

export const metadataIndexRecord = ({ at, recordBytes }: PlacedRecord, name: string): Uint8Array =>
  record(OPCODE.metadataIndex, u64(at), u64(recordBytes), text(name));

/** How much of each kind a bag contains. */
export interface BagCounts extends LogTimes {
  readonly schemas: number;
  readonly channels: number;
  readonly attachments: number;
  readonly metadata: number;
  readonly chunks: number;
  /** Messages by channel. */
  readonly messages: ReadonlyMap<number, number>;
}

export const statisticsRecord = (counts: BagCounts): Uint8Array =>
  record(
    OPCODE.statistics,
    u64([...counts.messages.values()].reduce((sum, count) => sum + count, 0)),
    ...[u16(counts.schemas), u32(counts.channels), u32(counts.attachments), u32(counts.metadata)],
    ...[u32(counts.chunks), u64(counts.startTime), u64(counts.endTime)],
    counted([...counts.messages].map(([channel, count]) => joinBytes([u16(channel), u64(count)]))),
  );
