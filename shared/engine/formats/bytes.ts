/** A view of the same memory. */
export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Whether the bytes at `offset` are `characters` in Latin-1. */
export const hasCharacters = (bytes: Uint8Array, offset: number, characters: string): boolean => {
  if (bytes.length < offset + characters.length) return false;
  for (let i = 0; i < characters.length; i++) {
    if (bytes[offset + i] !== characters.charCodeAt(i)) return false;
  }
  return true;
};

/** The four characters (Latin-1) that name a chunk, box or item. */
export const fourCharacters = (bytes: Uint8Array, at: number): string =>
  // Not spread from a slice, which takes ten times as long: small files have very many.
  String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
