import { tagOfBytes } from '../../tasks/base/content-tag';
import type { ResultFile } from '../../tasks/files/results';
import { contentDisposition } from '../http/content-disposition';
import { entityTag, namesTag } from '../http/entity-tag';
import { ApiError } from '../contract/errors';
import type { ApiBody, ApiRequest, ApiResponse } from '../http/http';
import { parseRange, type ByteRange } from '../http/range';
import { PRIVATE } from '../http/respond';
import { DOWNLOAD_STATUS } from '../contract/routes';
import type { ApiService } from './service';

/** A result as a file to be had. */
export interface ServedFile {
  readonly contentType: string;
  /** To save it under; may be hostile. */
  readonly name: string;
  readonly file: ResultFile;
  /** Names a stored file's bytes, so that they need not be read for it. Not needed for a file in memory. */
  readonly tag?: string | undefined;
}

const sizeOf = (file: ResultFile): number => (file instanceof Uint8Array ? file.byteLength : file.sizeBytes);

const partOf = (file: ResultFile, { start, end }: ByteRange): ApiBody =>
  file instanceof Uint8Array ? file.subarray(start, end) : file.read(start, end);

/** Rendered files by their bytes as well: another release may render the same parameters otherwise. */
const tagOf = async ({ file, tag }: ServedFile, { system }: ApiService): Promise<string> => {
  if (file instanceof Uint8Array) return entityTag(await tagOfBytes(file, system));
  if (tag === undefined) throw new Error('A stored file has no tag.');
  return entityTag(tag);
};

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
 * purpose, and for downloads that are taken up again.
 *
 * @throws ApiError 416
 * @see RFC 9110, sections 13 and 14
 */
export const respondDownload = async (
  download: ServedFile,
  { request, status, service }: { request: ApiRequest; status: number; service: ApiService },
): Promise<ApiResponse> => {
  const { contentType, name, file } = download;
  const sizeBytes = sizeOf(file);
  const etag = await tagOf(download, service);
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
    body: partOf(file, { start, end }),
  };
};
