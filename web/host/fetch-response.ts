import type { ApiBody, ApiResponse } from '#shared/api/http/http';

/** Reads a piece when the reader asks for it, and stops when the reader cancels. */
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

/** Null for an empty body: a `Response` with the status "not modified" must not have a body. */
const bodyInit = (body: ApiBody): BodyInit | null => {
  if (!(body instanceof Uint8Array)) return streamOf(body);
  return body.byteLength > 0 ? (body as Uint8Array<ArrayBuffer>) : null;
};

/** Converts a response of the API to a `fetch` response. */
export const asFetchResponse = ({ status, headers, body }: ApiResponse): Response =>
  new Response(bodyInit(body), { status, headers });
