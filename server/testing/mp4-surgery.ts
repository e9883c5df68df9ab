import { boxesIn } from '#shared/engine/formats/mp4-boxes';

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'dinf', 'edts', 'mvex', 'moof', 'traf'];

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

/** Changes boxes of a file of fragments, whose media are found from the start of their fragment on. */
export const changeFragments = (clip: Uint8Array, change: ChangeBox): Uint8Array =>
  new Uint8Array(rebuild(clip, '', change));

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

/** Changes every track's box at a path below `trak`. @param change gets the number of the track, from 0 */
const changeInTracks = (
  clip: Uint8Array,
  path: string,
  change: (track: number, content: Buffer) => Uint8Array | undefined,
): Uint8Array => {
  let track = 0;
  return changeIndex(clip, (at, content) =>
    at === `moov/trak/${path}` ? change(track++, Buffer.from(content)) : undefined,
  );
};

const DESCRIPTIONS = 'mdia/minf/stbl/stsd';
/** Version, flags and number of the descriptions. */
const DESCRIPTIONS_HEAD_BYTES = 8;
const TYPE_AT = 4;

/** Names the coding of a track differently. */
export const withCoding = (clip: Uint8Array, wanted: number, coding: string): Uint8Array =>
  changeInTracks(clip, DESCRIPTIONS, (track, content) => {
    if (track === wanted) content.write(coding, DESCRIPTIONS_HEAD_BYTES + TYPE_AT, 'latin1');
    return content;
  });

/** Makes a track one of another kind, such as `meta`. */
export const withHandler = (clip: Uint8Array, wanted: number, handler: string): Uint8Array =>
  changeInTracks(clip, 'mdia/hdlr', (track, content) => {
    if (track === wanted) content.write(handler, 8, 'latin1');
    return content;
  });

/** Adds boxes to the description of the first track. */
export const withDescription = (clip: Uint8Array, ...boxes: readonly Uint8Array[]): Uint8Array =>
  changeInTracks(clip, DESCRIPTIONS, (track, content) => {
    if (track > 0) return content;
    const changed = Buffer.concat([content, ...boxes]);
    const added = changed.byteLength - content.byteLength;
    changed.writeUInt32BE(changed.readUInt32BE(DESCRIPTIONS_HEAD_BYTES) + added, DESCRIPTIONS_HEAD_BYTES);
    return changed;
  });

const ONE = 2 ** 16;
/** Offset of the matrix in a track's header of version 0. */
const MATRIX_AT = 40;

/** Turns the images of the first track. @param matrix a, b, c, d, each -1, 0 or 1 */
export const withMatrix = (clip: Uint8Array, [a, b, c, d]: readonly number[]): Uint8Array =>
  changeInTracks(clip, 'tkhd', (track, content) => {
    if (track > 0) return content;
    const side = (at: number): number => content.readUInt32BE(content.byteLength - 8 + at) / ONE;
    const behind = (x = 0, y = 0): number => (x < 0 ? side(0) : 0) + (y < 0 ? side(4) : 0);
    const matrix = [a!, b!, 0, c!, d!, 0, behind(a, c), behind(b, d)].map((value) => value * ONE);
    for (const [i, value] of matrix.entries()) content.writeInt32BE(value, MATRIX_AT + 4 * i);
    return content;
  });

/** Lets images be shown before they are decoded, as their first track says without an edit list. */
export const withNegativeOffsets = (clip: Uint8Array): Uint8Array => {
  const withoutEdits = changeInTracks(clip, 'edts', (track, content) =>
    track > 0 ? content : new Uint8Array(0),
  );
  return changeInTracks(withoutEdits, 'mdia/minf/stbl/ctts', (_, content) => {
    const first = content.readUInt32BE(12);
    content.writeUInt8(1);
    for (let at = 12; at < content.byteLength; at += 8) {
      content.writeInt32BE(content.readUInt32BE(at) - first, at);
    }
    return content;
  });
};

const longSized = (type: string, content: Uint8Array): Uint8Array => {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1);
  header.write(type, 4, 'latin1');
  header.writeBigUInt64BE(BigInt(content.byteLength + 16), 8);
  return Buffer.concat([header, content]);
};

/** The same file with sizes and positions of 64 bits. */
export const withLongSizes = (clip: Uint8Array): Uint8Array => {
  const boxes = [...boxesIn(clip, 0, clip.byteLength)];
  const [kind, media, index] = ['ftyp', 'mdat', 'moov'].map((wanted) => {
    const found = boxes.find(({ type }) => type === wanted)!;
    return { start: found.start, content: clip.subarray(found.start, found.end) };
  });
  const head = box('ftyp', kind!.content);
  const moved = head.byteLength + 16 - media!.start;
  const file = Buffer.concat([head, longSized('mdat', media!.content), box('moov', index!.content)]);
  return changeInTracks(file, 'mdia/minf/stbl', (_, tables) =>
    Buffer.concat(
      [...boxesIn(tables, 0, tables.byteLength)].map(({ type, start, end }) => {
        const table = tables.subarray(start, end);
        if (type !== 'stco') return box(type, table);
        const positions = Buffer.alloc(8 + 2 * (table.byteLength - 8));
        table.copy(positions, 0, 0, 8);
        for (let at = 8; at < table.byteLength; at += 4) {
          positions.writeBigUInt64BE(BigInt(table.readUInt32BE(at) + moved), 2 * at - 8);
        }
        return box('co64', positions);
      }),
    ),
  );
};
