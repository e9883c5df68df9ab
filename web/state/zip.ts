import { makeZip } from 'client-zip';
import { countBeyond16Bits } from './zip-count';

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

/**
 * Packs files as they are: pictures are compressed already. Archives beyond 4 GiB are in zip64 format.
 *
 * An entry is asked for when the one before it was read, and read while the stream is: memory stays flat.
 */
export const zipFiles = (entries: AsyncIterable<ZipEntry>): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const end = countBeyond16Bits();
  const inputs = async function* () {
    // One time for all: a result's file would tell when it was written.
    const lastModified = new Date();
    for await (const { name, file } of entries) {
      end.add(file.size);
      yield { name, input: file, lastModified };
    }
  };
  // What the library makes is never shared memory; its types do not say so.
  const packed = makeZip(inputs()) as ReadableStream<Uint8Array<ArrayBuffer>>;
  return packed.pipeThrough(end.stream);
};
