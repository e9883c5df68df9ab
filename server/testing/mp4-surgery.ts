import { boxesIn } from '#shared/engine/formats/mp4-boxes';

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'dinf', 'edts', 'moof', 'traf'];

export const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const bytes = Buffer.concat(content);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(bytes.byteLength + 8);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, bytes]);
};

export const u32 = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
};

/** Returns the new content of a box, or undefined to keep it. @param path such as `moov/trak/mdia` */
export type ChangeBox = (path: string, content: Uint8Array) => Uint8Array | undefined;

const rebuild = (bytes: Uint8Array, path: string, change: ChangeBox): Uint8Array => {
  const parts = [...boxesIn(bytes, 0, bytes.byteLength)].map(({ type, start, end }) => {
    const inner = path ? `${path}/${type}` : type;
    const content = bytes.subarray(start, end);
    const rebuilt = CONTAINERS.includes(type) ? rebuild(content, inner, change) : content;
    return box(type, change(inner, rebuilt) ?? rebuilt);
  });
  return Buffer.concat(parts);
};

/** Appends a changed index. The original index becomes free space, so that the offsets of media stay valid. */
export const changeIndex = (clip: Uint8Array, change: ChangeBox): Uint8Array => {
  const before = Buffer.from(clip);
  for (const { type, start, end } of boxesIn(clip, 0, clip.byteLength)) {
    if (type !== 'moov') continue;
    const index = rebuild(clip.subarray(start - 8, end), '', change);
    before.write('free', start - 4, 'latin1');
    return new Uint8Array(Buffer.concat([before, index]));
  }
  throw new Error('the clip has no index');
};

/** One entry of an edit list, in seconds. If `media` is -1, nothing is shown. */
export interface EditEntry {
  readonly lasts: number;
  readonly media: number;
  readonly rate?: number;
}

/** Adds an edit list to each track. @param lists edit lists in the order of the tracks */
export const withEdits = (clip: Uint8Array, lists: readonly (readonly EditEntry[])[]): Uint8Array => {
  const movieTimescale = timescaleOf(clip, 'moov/mvhd')[0] as number;
  const timescales = timescaleOf(clip, 'moov/trak/mdia/mdhd');
  let track = 0;
  return changeIndex(clip, (path, content) => {
    if (path !== 'moov/trak') return undefined;
    const list = lists[track];
    const timescale = timescales[track++] as number;
    if (!list) return undefined;
    const entries = list.map(({ lasts, media, rate = 1 }) =>
      u32(
        Math.round(lasts * movieTimescale),
        media === -1 ? -1 : Math.round(media * timescale),
        Math.round(rate * 65_536),
      ),
    );
    const withoutList = [...boxesIn(content, 0, content.byteLength)]
      .filter(({ type }) => type !== 'edts')
      .map(({ start, end }) => content.subarray(start - 8, end));
    return Buffer.concat([...withoutList, box('edts', box('elst', u32(0, list.length), ...entries))]);
  });
};

/** The contents of all boxes with a path. */
export const contentsOf = (clip: Uint8Array, wanted: string): Uint8Array[] => {
  const found: Uint8Array[] = [];
  changeIndex(clip, (path, content) => {
    if (path === wanted) found.push(content);
    return undefined;
  });
  return found;
};

const timescaleOf = (clip: Uint8Array, path: string): number[] =>
  contentsOf(clip, path).map((content) => Buffer.from(content).readUInt32BE(content[0] === 1 ? 20 : 12));
