import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { joinBytes } from '#shared/engine/formats/bytes';
import type { ApiRequest, ApiResponse, UploadPart } from '#shared/api/http/http';
import { ERRORS } from '#shared/api/contract/errors';
import { FILE_PART } from '#shared/api/contract/routes';
import { API_PREFIX } from '#shared/api/contract/basics';
import { linger, sendResponse, type AskApi } from './mount-fastify';

/** Path of the blur service that instances of Panoramax call. @see https://docs.panoramax.fr/backend/install/settings/ */
const BLUR_PATH = '/blur/';
/** What every image is asked with: published once, in full quality, and placed on a map. */
const UPLOAD_QUERY = 'format=auto&keep-metadata=true&jpeg-copy=true&result-format=jpeg';
const IMAGE_PART = 'picture';
const FIRST_ERROR = 400;

/** An answer of the API that is no success: it is passed on as it is. */
class Refused extends Error {
  constructor(readonly response: ApiResponse) {
    super('The API refused a request.');
  }
}

/** A client that can only send a name and a password, as in `http://any:TOKEN@host`, sends a token as password. */
const tokenHeaderOf = (authorization: string | undefined): Record<string, string> => {
  const [, encoded] = /^basic\s+([\w+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return authorization === undefined ? {} : { authorization };
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return { authorization: `Bearer ${text.slice(text.indexOf(':') + 1)}` };
};

const refusal = (detail: string): ApiResponse => ({
  status: ERRORS.wrong_part_name.status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ detail })),
});

const NOTHING_KEPT = refusal(
  'Veil keeps nothing of what it hides, so `keep` is not offered: set PICTURE_PROCESS_KEEP_UNBLURRED_PARTS of Panoramax to false.',
);
const NO_IMAGE = refusal('The request must have one part, `picture`, with an image.');

const isImagePart = (parts: readonly UploadPart[]): boolean =>
  parts.length === 1 && parts[0]?.name === IMAGE_PART;

const bytesOf = async ({ body }: ApiResponse): Promise<Uint8Array> => {
  if (body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return joinBytes(pieces);
};

/**
 * What is said of a result. Panoramax publishes annotations as tags of the image: SGBlur lists road signs there, and
 * nothing that it hides. The id names parts that are kept to be restored.
 */
const METADATA = JSON.stringify({ blurring_id: null, service_name: 'Veil', annotations: [] });

const multipart = (boundary: string, image: Uint8Array): Uint8Array => {
  const part = (name: string, type: string, content: Uint8Array): Uint8Array[] => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    content,
    Buffer.from('\r\n'),
  ];
  return joinBytes([
    ...part('image', 'image/jpeg', image),
    ...part('metadata', 'application/json', Buffer.from(METADATA)),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
};

const sendImage = (request: FastifyRequest, reply: FastifyReply, image: Uint8Array): FastifyReply => {
  if (!/multipart\/form-data/i.test(request.headers.accept ?? '')) {
    return reply.type('image/jpeg').header('x-sgblur', METADATA).send(Buffer.from(image));
  }
  const boundary = randomUUID();
  const body = Buffer.from(multipart(boundary, image));
  return reply.type(`multipart/form-data; boundary=${boundary}`).send(body);
};

/** Uploads the part of a request, as a client of the API would. @returns the id of its task */
const upload = async (
  ask: (change: (asked: ApiRequest) => ApiRequest) => Promise<ApiResponse>,
): Promise<string> => {
  let hasImage = true;
  const response = await ask((asked) => ({
    ...{ ...asked, method: 'POST', url: `${API_PREFIX}file?${UPLOAD_QUERY}` },
    receiveUpload: async (options) => {
      const parts = await asked.receiveUpload(options);
      hasImage = isImagePart(parts);
      // Others keep their name, which the API refuses.
      return parts.map((part) => ({ ...part, name: hasImage ? FILE_PART : IMAGE_PART }));
    },
  }));
  if (!hasImage) throw new Refused(NO_IMAGE);
  if (response.status >= FIRST_ERROR) throw new Refused(response);
  return (JSON.parse(Buffer.from(await bytesOf(response)).toString('utf8')) as { readonly id: string }).id;
};

/** Asks the API for the hidden image, and leaves nothing behind. */
const blur = async (request: FastifyRequest, reply: FastifyReply, askApi: AskApi): Promise<Uint8Array> => {
  const authorization = tokenHeaderOf(request.headers.authorization);
  const ask = (change: (asked: ApiRequest) => ApiRequest): Promise<ApiResponse> =>
    askApi(request, reply, (asked) => change({ ...asked, headers: { ...asked.headers, ...authorization } }));
  const id = await upload(ask);
  try {
    const url = `${API_PREFIX}file/${id}/anonymised`;
    const response = await ask((asked) => ({ ...asked, method: 'GET', url }));
    if (response.status >= FIRST_ERROR) throw new Refused(response);
    return await bytesOf(response);
  } finally {
    const url = `${API_PREFIX}task/${id}`;
    await ask((asked) => ({ ...asked, method: 'DELETE', url }));
  }
};

/**
 * Answers instances of Panoramax as their blur service (`API_BLUR_URL`): the part `picture` in, a JPEG image out.
 *
 * It is a client of the API in the same server, so that tokens, limits and the queue are those of all uploads.
 */
export const servePanoramax = (app: FastifyInstance, ask: AskApi): void => {
  app.post(BLUR_PATH, async (request, reply) => {
    linger(request.raw, reply.raw);
    try {
      const { keep } = request.query as { readonly keep?: string };
      if (keep !== undefined && keep !== '0') throw new Refused(NOTHING_KEPT);
      return sendImage(request, reply, await blur(request, reply, ask));
    } catch (error) {
      if (error instanceof Refused) return sendResponse(reply, error.response);
      throw error;
    }
  });
};
