import { Zip, ZipPassThrough } from 'fflate';

export interface ZipEntry {
  readonly name: string;
  readonly file: Blob;
}

/** Gives names back as they are but for repeated ones, which are numbered: `a.jpg`, `a (2).jpg`. */
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

/** Read at once. */
const PIECE_BYTES = 4 * 1024 ** 2;
/** What the format's 32-bit numbers can say, with room for names. */
const MAX_ARCHIVE_BYTES = 2 ** 32 - 2 ** 24;

/**
 * Packs files as they are: pictures are compressed already.
 *
 * Some pieces of one file are in the script's memory at a time; what is packed goes to blobs, which the browser may keep on disk.
 */
export const zipFiles = async (entries: AsyncIterable<ZipEntry>): Promise<Blob> => {
  const packed: Blob[] = [];
  let size = 0;
  let pending: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    pending.push(bytes as Uint8Array<ArrayBuffer>);
  });
  const flush = (): void => {
    packed.push(new Blob(pending));
    pending = [];
  };
  for await (const { name, file } of entries) {
    size += file.size;
    if (size > MAX_ARCHIVE_BYTES) throw new Error('The files are too large for one archive.');
    const entry = new ZipPassThrough(name);
    zip.add(entry);
    for (let at = 0; at < file.size; at += PIECE_BYTES) {
      entry.push(new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer()));
      flush();
    }
    entry.push(new Uint8Array(), true);
    flush();
  }
  zip.end();
  flush();
  return new Blob(packed, { type: 'application/zip' });
};
