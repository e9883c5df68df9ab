/** Bytes that the script holds in memory at once. */
const PIECE_BYTES = 4 * 1024 ** 2;

/** Reads a stream into a blob, which the browser may move to disk. The script holds one piece of it at a time. */
export const blobOfStream = async (
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  type: string,
): Promise<Blob> => {
  const blobs: Blob[] = [];
  let piece: Uint8Array<ArrayBuffer>[] = [];
  let pieceBytes = 0;
  const flush = (): void => {
    blobs.push(new Blob(piece));
    piece = [];
    pieceBytes = 0;
  };
  const collect = new WritableStream<Uint8Array<ArrayBuffer>>({
    write: (bytes) => {
      piece.push(bytes);
      pieceBytes += bytes.byteLength;
      if (pieceBytes >= PIECE_BYTES) flush();
    },
    close: flush,
  });
  await stream.pipeTo(collect);
  return new Blob(blobs, { type });
};
