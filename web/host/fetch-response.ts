import type { ApiBody, ApiResponse } from '#shared/api/http/http';

/** Reads a piece when the reader has room for it, and breaks off when the reader does. */
const streamOf = (pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const piece = await iterator.next();
      if (piece.done) controller.close();
      else controller.enqueue(piece.value);
    },
    cancel: async () => void (await iterator.return?.()),
  });
};

/** Null for no body: a `Response` that says "not modified" may not have one, not even an empty one. */
const bodyInit = (body: ApiBody): BodyInit | null => {
  if (!(body instanceof Uint8Array)) return streamOf(body);
  return body.byteLength > 0 ? (body as Uint8Array<ArrayBuffer>) : null;
};

/** An answer of the API as what `fetch` gives. */
export const asFetchResponse = ({ status, headers, body }: ApiResponse): Response =>
  new Response(bodyInit(body), { status, headers });
