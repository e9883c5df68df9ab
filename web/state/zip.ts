import { makeZip } from 'client-zip';
import { countBeyond16Bits } from './zip-count';

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
