import type { System } from '../../ports/system';
import { tagOfBytes } from '../../tasks/base/content-tag';
import { ApiError } from '../contract/errors';
import { DOWNLOAD_STATUS, EVENT_STREAM_TYPE } from '../contract/routes';
import type { HandlerAnswer, ServedFile } from './answer';
import { contentDisposition } from './content-disposition';
import { entityTag, namesTag } from './entity-tag';
import { eventMessages } from './event-stream';
import type { EventStreams } from './event-streams';
import type { ApiRequest, ApiResponse } from './http';
import { parseRange, type ByteRange } from './range';
import { JSON_TYPE, jsonBytes, PRIVATE, respondJson } from './respond';

/** What making bytes of an answer takes. */
interface Edge {
  readonly request: ApiRequest;
  /** The route's status of success. */
  readonly status: number;
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
  { request, status, system }: Edge,
): Promise<ApiResponse> => {
  const inMemory = file instanceof Uint8Array;
  const sizeBytes = inMemory ? file.byteLength : file.sizeBytes;
  const named = inMemory ? await tagOfBytes(file, system) : tag;
  if (named === undefined) throw new Error('A stored file has no tag.');
  const etag = entityTag(named);
  if (namesTag(request.headers['if-none-match'], etag)) {
    return { status: DOWNLOAD_STATUS.notModified, headers: { ...PRIVATE, etag }, body: new Uint8Array(0) };
  }
  const range = wantedRange(request, etag, sizeBytes);
  const { start, end } = range ?? { start: 0, end: sizeBytes };
  return {
    status: range ? DOWNLOAD_STATUS.partial : status,
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
  const { request, status, eventStreams } = edge;
  // Proxies must pass each message on at once.
  const headers = { ...PRIVATE, 'content-type': EVENT_STREAM_TYPE, 'x-accel-buffering': 'no' };
  // Only a stream that is read ends, and is no longer counted then.
  if (request.method === 'HEAD') return { status, headers, body: new Uint8Array(0) };
  const messages = eventMessages(events);
  return { status, headers, body: eventStreams?.open(messages, request.signal) ?? messages };
};

const respondList = async (
  { list, saveAs }: Extract<HandlerAnswer, { readonly list: unknown }>,
  edge: Edge,
): Promise<ApiResponse> => {
  // Loaded with the first long list: the first load of a page must stay small.
  const { jsonArray, jsonArrayFile } = await import('./json-array');
  if (saveAs === undefined) {
    return { status: edge.status, headers: { ...PRIVATE, 'content-type': JSON_TYPE }, body: jsonArray(list) };
  }
  const { file, tag } = await jsonArrayFile(list, edge.system, edge.request.signal);
  return respondDownload({ contentType: JSON_TYPE, name: saveAs, file, tag }, edge);
};

const respondPlain = async (answer: HandlerAnswer, edge: Edge): Promise<ApiResponse> => {
  if ('events' in answer) return respondEvents(answer.events, edge);
  if ('list' in answer) return respondList(answer, edge);
  if ('download' in answer) return respondDownload(answer.download, edge);
  const { value, saveAs } = answer;
  if (saveAs === undefined) return respondJson(edge.status, value);
  return respondDownload({ contentType: JSON_TYPE, name: saveAs, file: jsonBytes(value) }, edge);
};

/** Makes bytes of an answer. @throws ApiError 416, 503 */
export const respondAnswer = async (answer: HandlerAnswer, edge: Edge): Promise<ApiResponse> => {
  const response = await respondPlain(answer, edge);
  return 'headers' in answer
    ? { ...response, headers: { ...response.headers, ...answer.headers } }
    : response;
};
