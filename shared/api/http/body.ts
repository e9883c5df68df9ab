import type { ApiBody } from './http';

/** All bytes of a body, for callers that cannot read it in pieces. */
export const bytesOf = async (body: ApiBody): Promise<Uint8Array> => {
  if (body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    sizeBytes += piece.byteLength;
  }
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
};
