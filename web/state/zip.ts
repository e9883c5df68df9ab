import { makeZip } from 'client-zip';

/** Maximum values. They mean that the real number is in the zip64 records. */
const NO_COUNT = 0xffff;
const NO_SIZE = 0xffff_ffff;

/** Size of the end record and offsets of its fields (APPNOTE 4.3.16). */
const END = { bytes: 22, directoryBytes: 12, directoryAt: 16 };
/** Zip64 end record (4.3.14), which is followed by its locator (4.3.15). */
const RECORD = { bytes: 56, signature: 0x06064b50, madeBy: 45 };
const LOCATOR = { bytes: 20, signature: 0x07064b50 };

/** The zip64 records with a 64-bit count of the entries. @param end the end record with the 16-bit count */
const zip64Records = (end: DataView, count: number): Uint8Array<ArrayBuffer> => {
  const directoryBytes = end.getUint32(END.directoryBytes, true);
  const directoryAt = end.getUint32(END.directoryAt, true);
  const view = new DataView(new ArrayBuffer(RECORD.bytes + LOCATOR.bytes));
  view.setUint32(0, RECORD.signature, true);
  view.setBigUint64(4, BigInt(RECORD.bytes - 12), true);
  view.setUint16(12, RECORD.madeBy, true);
  view.setUint16(14, RECORD.madeBy, true);
  view.setBigUint64(24, BigInt(count), true);
  view.setBigUint64(32, BigInt(count), true);
  view.setBigUint64(40, BigInt(directoryBytes), true);
  view.setBigUint64(48, BigInt(directoryAt), true);
  view.setUint32(RECORD.bytes, LOCATOR.signature, true);
  view.setBigUint64(RECORD.bytes + 8, BigInt(directoryAt + directoryBytes), true);
  view.setUint32(RECORD.bytes + 16, 1, true);
  return new Uint8Array(view.buffer);
};

/**
 * Adds the zip64 records to an archive of more than 65,534 entries.
 *
 * client-zip 2.5.1 writes these records only if sizes need them. Without them `unzip` takes the other entries of an
 * archive for damage.
 *
 * @returns call `add` with each entry's size before the entry passes through `stream`; the last chunk of the stream
 * must be the end record
 */
export const countBeyond16Bits = (): {
  add(bytes: number): void;
  readonly stream: TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;
} => {
  let count = 0;
  let hasLargeFile = false;
  let last: Uint8Array<ArrayBuffer> | undefined;
  const stream = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (piece, output) => {
      if (last) output.enqueue(last);
      last = piece;
    },
    flush: (output) => {
      if (!last) return;
      const end = new DataView(last.buffer, last.byteOffset, END.bytes);
      const hasRecords = hasLargeFile || end.getUint32(END.directoryAt, true) === NO_SIZE;
      if (count >= NO_COUNT && !hasRecords) output.enqueue(zip64Records(end, count));
      output.enqueue(last);
    },
  });
  const add = (bytes: number): void => {
    count += 1;
    hasLargeFile ||= bytes >= NO_SIZE;
  };
  return { add, stream };
};

export interface ZipEntry {
  readonly name: string;
  readonly file: Blob;
}

/** Returns the names with repeated ones numbered: `a.jpg`, `a (2).jpg`. */
export const createNamer = (): ((name: string) => string) => {
  const taken = new Set<string>();
  return (name) => {
    const dot = name.lastIndexOf('.');
    const hasExtension = dot > name.lastIndexOf('/') + 1;
    const stem = hasExtension ? name.slice(0, dot) : name;
    const extension = hasExtension ? name.slice(dot) : '';
    let unique = name;
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${stem} (${n})${extension}`;
    taken.add(unique.toLowerCase());
    return unique;
  };
};

/**
 * Packs files without compression, because images are compressed already. Archives beyond 4 GiB use zip64.
 *
 * Each entry is requested when the one before it was read, and read with the stream, so memory use is constant.
 */
export const zipFiles = (entries: AsyncIterable<ZipEntry>): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const end = countBeyond16Bits();
  const inputs = async function* () {
    // The same time for all entries: a file's own time would reveal when it was processed.
    const lastModified = new Date();
    for await (const { name, file } of entries) {
      end.add(file.size);
      yield { name, input: file, lastModified };
    }
  };
  // The library never uses shared memory for its buffers, but its types do not say so.
  const packed = makeZip(inputs()) as ReadableStream<Uint8Array<ArrayBuffer>>;
  return packed.pipeThrough(end.stream);
};
