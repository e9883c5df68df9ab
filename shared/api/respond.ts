import type { ResultFile } from '../tasks/results';
import type { ApiError } from './errors';
import type { ApiResponse } from './http';
import type { ErrorResponse } from './schemas-tasks';

/** Answers are private and of the type they say. */
const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const sizeOf = (file: ResultFile): number => (file instanceof Uint8Array ? file.byteLength : file.sizeBytes);

export const respondFile = (status: number, contentType: string, file: ResultFile): ApiResponse => ({
  status,
  headers: { ...PRIVATE, 'content-type': contentType, 'content-length': String(sizeOf(file)) },
  body: file instanceof Uint8Array ? file : file.read(0, file.sizeBytes),
});

export const respondJson = (status: number, value: unknown): ApiResponse =>
  respondFile(status, 'application/json', new TextEncoder().encode(JSON.stringify(value)));

/** The one form of every error (spec: Error body). */
export const respondError = (error: ApiError): ApiResponse => {
  const body: ErrorResponse = { detail: error.message };
  const response = respondJson(error.status, body);
  return { ...response, headers: { ...response.headers, ...error.headers } };
};
