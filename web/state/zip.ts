import { Zip, ZipPassThrough } from 'fflate';

export interface ZipEntry {
  readonly name: string;
  readonly file: Blob;
}

/** Names as they are but for repeated ones, which are numbered: `a.jpg`, `a (2).jpg`. */
export const uniqueNames = (names: readonly string[]): string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    const dot = name.lastIndexOf('.');
    const stem = dot > 0 ? name.slice(0, dot) : name;
    const extension = dot > 0 ? name.slice(dot) : '';
    let unique = name;
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${stem} (${n})${extension}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
};

/**
 * Packs files as they are: pictures are compressed already.
 *
 * One file is in the script's memory at a time; what is packed goes to blobs, which the browser may keep on disk.
 */
export const zipFiles = async (entries: AsyncIterable<ZipEntry>): Promise<Blob> => {
  const packed: Blob[] = [];
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
    const entry = new ZipPassThrough(name);
    zip.add(entry);
    entry.push(new Uint8Array(await file.arrayBuffer()), true);
    flush();
  }
  zip.end();
  flush();
  return new Blob(packed, { type: 'application/zip' });
};
