/** Elements that contain elements, as far as tests change them: segment, info, tracks, a track, clusters, groups. */
const MASTERS = ['18538067', '1549a966', '1654ae6b', 'ae', '1f43b675', 'a0'];

const lengthOf = (first: number): number => Math.clz32(first) - 23;

/** An element with a size of eight bytes. @param id in hexadecimal digits */
export const element = (id: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const bytes = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(bytes.byteLength));
  return Buffer.concat([Buffer.from(id, 'hex'), size, bytes]);
};

/** Returns the new content of an element, or undefined to keep it. */
export type ChangeElement = (id: string, content: Uint8Array) => Uint8Array | undefined;

/**
 * Changes the elements of a Matroska file. All of them need a size; positions in seek heads and cues become wrong, which
 * the reader of the product does not use.
 */
export const changeElements = (bytes: Uint8Array, change: ChangeElement): Uint8Array => {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    const idBytes = lengthOf(bytes[at] as number);
    const id = Buffer.from(bytes.subarray(at, at + idBytes)).toString('hex');
    const sizeAt = at + idBytes;
    const sizeBytes = lengthOf(bytes[sizeAt] as number);
    let size = (bytes[sizeAt] as number) & ((1 << (8 - sizeBytes)) - 1);
    for (let i = 1; i < sizeBytes; i++) size = size * 256 + (bytes[sizeAt + i] as number);
    const start = sizeAt + sizeBytes;
    at = start + size;
    const content = bytes.subarray(start, at);
    const rebuilt = MASTERS.includes(id) ? changeElements(content, change) : content;
    parts.push(element(id, change(id, rebuilt) ?? rebuilt));
  }
  return Buffer.concat(parts);
};
