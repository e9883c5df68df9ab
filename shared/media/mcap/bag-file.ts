import { UnreadableFile } from '../../domain/failure';
import { crc32, viewOf } from '../../engine/formats/bytes';
import type { ByteSource } from '../../ports/video';
import { requireBounded, type ChunkCoding } from './chunk-coding';
import { damagedBag } from './fields';
import { MAGIC, OPCODE, parseChunk, RECORD_HEAD } from './records';

/** Bytes that are read at once, for records that are smaller. */
const WINDOW_BYTES = 1024 ** 2;

/** A record of a file or of a chunk. */
export interface BagRecord {
  readonly opcode: number;
  /** Offset of its type. */
  readonly at: number;
  /** Fields; of an attachment only what fits into a window, because it may be large. */
  readonly content: Uint8Array;
  readonly contentBytes: number;
}

const truncated = (): UnreadableFile =>
  new UnreadableFile('The bag is truncated: it has no end. `mcap recover` makes a whole one of it.');

const createWindow = (source: ByteSource): ((from: number, until: number) => Promise<Uint8Array>) => {
  let start = 0;
  let window = new Uint8Array(0) as Uint8Array;
  return async (from, until) => {
    if (until > source.sizeBytes) throw truncated();
    if (from < start || until > start + window.length) {
      window = await source.read(from, Math.min(source.sizeBytes, Math.max(until, from + WINDOW_BYTES)));
      start = from;
    }
    return window.subarray(from - start, until - start);
  };
};

const headOf = (head: Uint8Array): { readonly opcode: number; readonly contentBytes: number } => ({
  opcode: head[0]!,
  contentBytes: Number(viewOf(head).getBigUint64(1, true)),
});

const isMagic = (bytes: Uint8Array): boolean => MAGIC.every((byte, at) => bytes[at] === byte);

/** The pieces of a record's content, as they are in the file. */
export async function* readPieces(
  source: ByteSource,
  { at, contentBytes }: Pick<BagRecord, 'at' | 'contentBytes'>,
): AsyncGenerator<Uint8Array> {
  const from = at + RECORD_HEAD;
  for (let next = from; next < from + contentBytes; next += WINDOW_BYTES) {
    yield await source.read(next, Math.min(from + contentBytes, next + WINDOW_BYTES));
  }
}

/** @throws UnreadableFile where the record is too large, or longer than the file */
const recordAt = async (
  at: number,
  source: ByteSource,
  read: ReturnType<typeof createWindow>,
): Promise<BagRecord> => {
  const from = at + RECORD_HEAD;
  const { opcode, contentBytes } = headOf(await read(at, from));
  const end = from + contentBytes;
  if (end > source.sizeBytes) throw truncated();
  const isLarge = opcode === OPCODE.attachment;
  if (!isLarge) requireBounded(opcode === OPCODE.chunk ? 'chunk' : 'record', contentBytes);
  const content = await read(from, isLarge ? Math.min(end, from + WINDOW_BYTES) : end);
  return { opcode, at, content, contentBytes };
};

/**
 * The records of a file's data section in order, up to and with `dataEnd`. The index behind it is not read: it could
 * name other things than there are.
 *
 * @param onBytes receives all bytes before `dataEnd`, for its checksum; absent: attachments are not read as a whole
 * @throws UnreadableFile where the file ends before the data do
 */
export async function* readRecords(
  source: ByteSource,
  signal: AbortSignal,
  onBytes?: (bytes: Uint8Array) => void,
): AsyncGenerator<BagRecord> {
  const read = createWindow(source);
  const start = await read(0, MAGIC.length);
  if (!isMagic(start)) throw damagedBag('it does not begin as a bag');
  onBytes?.(start);
  for (let at = MAGIC.length, opcode = 0; opcode !== OPCODE.dataEnd;) {
    signal.throwIfAborted();
    const record = await recordAt(at, source, read);
    ({ opcode } = record);
    if (opcode === OPCODE.footer) throw damagedBag('its data have no end');
    at += RECORD_HEAD + record.contentBytes;
    if (onBytes && opcode !== OPCODE.dataEnd) {
      onBytes(await read(record.at, record.at + RECORD_HEAD));
      const isWhole = record.content.length === record.contentBytes;
      if (isWhole) onBytes(record.content);
      else for await (const piece of readPieces(source, record)) onBytes(piece);
    }
    yield record;
  }
  const end = await source.read(Math.max(0, source.sizeBytes - MAGIC.length), source.sizeBytes);
  if (!isMagic(end)) throw truncated();
}

/** The records in an unpacked chunk. @throws UnreadableFile */
export function* recordsIn(chunk: Uint8Array): Generator<BagRecord> {
  for (let at = 0; at < chunk.length;) {
    if (chunk.length - at < RECORD_HEAD) throw damagedBag('a chunk ends within a record');
    const { opcode, contentBytes } = headOf(chunk.subarray(at, at + RECORD_HEAD));
    const end = at + RECORD_HEAD + contentBytes;
    if (end > chunk.length) throw damagedBag('a chunk ends within a record');
    yield { opcode, at, content: chunk.subarray(at + RECORD_HEAD, end), contentBytes };
    at = end;
  }
}

/** The running checksum of a data section. */
export const createChecksum = () => {
  let crc = 0;
  return {
    add: (bytes: Uint8Array): void => void (crc = crc32(bytes, crc)),
    value: (): number => crc,
  };
};

/** Memory for unpacked chunks: readers of several topics are near each other. */
const CACHE_BYTES = 16 * 1024 ** 2;

/** Reads single records by where they are. */
export interface RecordAccess {
  /** @param at offset of a message in the file, or of its chunk; @param inChunk its offset in that */
  message(at: number, inChunk: number | undefined): Promise<Uint8Array>;
}

/** Keeps the last unpacked chunks. */
export const createRecordAccess = (source: ByteSource, coding: ChunkCoding): RecordAccess => {
  const chunks = new Map<number, Promise<Uint8Array>>();
  const sizes = new Map<number, number>();
  const contentAt = async (at: number): Promise<Uint8Array> => {
    const { contentBytes } = headOf(await source.read(at, at + RECORD_HEAD));
    return source.read(at + RECORD_HEAD, at + RECORD_HEAD + contentBytes);
  };
  const forgetOldest = (keep: number): void => {
    let total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [at, size] of sizes) {
      if (total <= CACHE_BYTES || at === keep) return;
      total -= size;
      sizes.delete(at);
      chunks.delete(at);
    }
  };
  const chunkAt = async (at: number): Promise<Uint8Array> => {
    const known = chunks.get(at);
    if (known) return known;
    const unpacking = contentAt(at).then((content) => coding.unpack(parseChunk(content)));
    chunks.set(at, unpacking);
    const chunk = await unpacking;
    sizes.set(at, chunk.length);
    forgetOldest(at);
    return chunk;
  };
  return {
    message: async (at, inChunk) => {
      if (inChunk === undefined) return contentAt(at);
      const chunk = await chunkAt(at);
      const { contentBytes } = headOf(chunk.subarray(inChunk, inChunk + RECORD_HEAD));
      return chunk.subarray(inChunk + RECORD_HEAD, inChunk + RECORD_HEAD + contentBytes);
    },
  };
};
