import type { System } from '../../ports/system';
import { tagOfBytes } from '../../tasks/base/digest';
import { ApiError } from '../contract/errors';
import { ERROR_CODE_HEADER, EVENT_STREAM_TYPE, STATUS } from '../contract/basics';
import type { HandlerAnswer, ServedFile, ApiRequest, ApiResponse } from './http';
import { contentDisposition } from './filename';
import { eventMessages, type EventStreams } from './event-streams';
import type { ErrorResponse } from '../contract/schemas-tasks';

/**
 * Headers of all answers: they must not be cached, browsers must not guess their type, and pages of other sites must not
 * embed them. Sites that `--allow-origin` names read them by CORS, which this does not concern: only requests without
 * CORS are checked, and those the site policy refuses as well.
 *
 * @see https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header
 */
export const PRIVATE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

export const JSON_TYPE = 'application/json';

const respondBytes = (status: number, contentType: string, body: Uint8Array): ApiResponse => ({
  status,
  headers: { ...PRIVATE, 'content-type': contentType, 'content-length': String(body.byteLength) },
  body,
});

export const jsonBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

export const respondJson = (status: number, value: unknown): ApiResponse =>
  respondBytes(status, JSON_TYPE, jsonBytes(value));

/** The response for an error; all errors have this form. */
export const respondError = (error: ApiError): ApiResponse => {
  const body: ErrorResponse = { detail: error.message };
  const response = respondJson(error.status, body);
  const headers = { ...response.headers, ...error.headers, [ERROR_CODE_HEADER]: error.code };
  return { ...response, headers };
};

const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** A strong entity tag: equal tags mean equal bytes. @param text letters, digits and dashes */
export const entityTag = (text: string): string => `"${text}"`;

/**
 * Whether an `If-None-Match` header contains a tag. Weak and strong tags are treated alike.
 *
 * @see RFC 9110, section 13.1.2
 */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header?.trim() === '*' || [...(header ?? '').matchAll(ENTITY_TAG)].some(([, opaque]) => opaque === tag);

/** Bytes from `start` (inclusive) to `end` (exclusive). */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const SINGLE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d+)?|-(\d+))[ \t]*$/i;

/** @returns undefined if the last byte is before the first, which is not a range */
const fromTo = (first: number, last: number, sizeBytes: number): ByteRange | undefined =>
  last < first ? undefined : { start: first, end: Math.min(sizeBytes, last + 1) };

/**
 * The part of a file that a `Range` header requests.
 *
 * Only single ranges are supported. Other values are ignored, as the standard allows, and the whole file is sent.
 *
 * @returns undefined for the whole file, `unsatisfiable` for a range outside of the file
 * @see RFC 9110, section 14
 */
const parseRange = (
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined => {
  const match = SINGLE_RANGE.exec(header?.trim() ?? '');
  if (!match) return undefined;
  const [, first, last = Infinity, suffix] = match;
  const range =
    first === undefined
      ? { start: Math.max(0, sizeBytes - Number(suffix)), end: sizeBytes }
      : fromTo(Number(first), Number(last), sizeBytes);
  return range && range.start >= range.end ? 'unsatisfiable' : range;
};

/** What making bytes of an answer takes. */
interface Edge {
  readonly request: ApiRequest;
  readonly system: Pick<System, 'sha256' | 'startSha256'>;
  readonly eventStreams: EventStreams | undefined;
}

/** `Range` is a matter of GET alone, and where `If-Range` names other bytes than these it does not count. */
const wantedRange = (
  { method, headers }: ApiRequest,
  tag: string,
  sizeBytes: number,
): ByteRange | undefined => {
  const condition = headers['if-range']?.trim();
  const counts = method === 'GET' && (condition === undefined || condition === tag);
  const range = counts ? parseRange(headers['range'], sizeBytes) : undefined;
  if (range === 'unsatisfiable') throw new ApiError('range_unsatisfiable', sizeBytes);
  return range;
};

/**
 * Answers with a file, or with the part of it that the client lacks.
 *
 * Results stay out of caches, which would keep them when the task is deleted; `ETag` is for clients that keep them on
 * purpose, and for downloads that are taken up again. Rendered files have a tag by their bytes: another release may
 * render the same parameters otherwise.
 *
 * @throws ApiError 416
 * @see RFC 9110, sections 13 and 14
 */
const respondDownload = async (
  { contentType, name, file, tag }: ServedFile,
  { request, system }: Edge,
): Promise<ApiResponse> => {
  const inMemory = file instanceof Uint8Array;
  const sizeBytes = inMemory ? file.byteLength : file.sizeBytes;
  const named = inMemory ? await tagOfBytes(file, system) : tag;
  if (named === undefined) throw new Error('A stored file has no tag.');
  const etag = entityTag(named);
  if (namesTag(request.headers['if-none-match'], etag)) {
    return { status: STATUS.notModified, headers: { ...PRIVATE, etag }, body: new Uint8Array(0) };
  }
  const range = wantedRange(request, etag, sizeBytes);
  const { start, end } = range ?? { start: 0, end: sizeBytes };
  return {
    status: range ? STATUS.partial : STATUS.success,
    headers: {
      ...PRIVATE,
      'content-type': contentType,
      'content-length': String(end - start),
      'content-disposition': contentDisposition(name),
      'accept-ranges': 'bytes',
      etag,
      ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${sizeBytes}` } : {}),
    },
    body: inMemory ? file.subarray(start, end) : file.read(start, end),
  };
};

/** @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
const respondEvents = (events: AsyncIterable<unknown>, edge: Edge): ApiResponse => {
  const { request, eventStreams } = edge;
  // Proxies must pass each message on at once.
  const headers = { ...PRIVATE, 'content-type': EVENT_STREAM_TYPE, 'x-accel-buffering': 'no' };
  // Only a stream that is read ends, and is no longer counted then.
  if (request.method === 'HEAD') return { status: STATUS.success, headers, body: new Uint8Array(0) };
  const messages = eventMessages(events);
  return { status: STATUS.success, headers, body: eventStreams?.open(messages, request.signal) ?? messages };
};

const respondList = async (
  { list, saveAs }: Extract<HandlerAnswer, { readonly list: unknown }>,
  edge: Edge,
): Promise<ApiResponse> => {
  // Loaded with the first long list: the first load of a page must stay small.
  const { jsonArray, jsonArrayFile } = await import('./json-array');
  if (saveAs === undefined) {
    return {
      status: STATUS.success,
      headers: { ...PRIVATE, 'content-type': JSON_TYPE },
      body: jsonArray(list),
    };
  }
  const { file, tag } = await jsonArrayFile(list, edge.system, edge.request.signal);
  return respondDownload({ contentType: JSON_TYPE, name: saveAs, file, tag }, edge);
};

const respondPlain = async (answer: HandlerAnswer, edge: Edge): Promise<ApiResponse> => {
  if ('events' in answer) return respondEvents(answer.events, edge);
  if ('list' in answer) return respondList(answer, edge);
  if ('download' in answer) return respondDownload(answer.download, edge);
  const { value, saveAs } = answer;
  if (saveAs === undefined) return respondJson(STATUS.success, value);
  return respondDownload({ contentType: JSON_TYPE, name: saveAs, file: jsonBytes(value) }, edge);
};

/** Makes bytes of an answer. @throws ApiError 416, 503 */
export const respondAnswer = async (answer: HandlerAnswer, edge: Edge): Promise<ApiResponse> => {
  const response = await respondPlain(answer, edge);
  return 'headers' in answer
    ? { ...response, headers: { ...response.headers, ...answer.headers } }
    : response;
};
