/** The four characters (Latin-1) that name a chunk, box or item. */
export const fourCharacters = (bytes: Uint8Array, at: number): string =>
  // Not spread from a slice, which takes ten times as long: small files have very many.
  String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
