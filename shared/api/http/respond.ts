import type { ApiError } from '../contract/errors';
import type { ApiResponse } from './http';
import type { ErrorResponse } from '../contract/schemas-tasks';

/** Headers of all answers: they must not be cached, and browsers must not guess their type. */
export const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export const JSON_TYPE = 'application/json';

const respondBytes = (status: number, contentType: string, body: Uint8Array): ApiResponse => ({
  status,
  headers: { ...PRIVATE, 'content-type': contentType, 'content-length': String(body.byteLength) },
  body,
});

export const jsonBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

export const respondJson = (status: number, value: unknown): ApiResponse =>
  respondBytes(status, JSON_TYPE, jsonBytes(value));

/** The response for an error; all errors have this form (spec: Error body). */
export const respondError = (error: ApiError): ApiResponse => {
  const body: ErrorResponse = { detail: error.message };
  const response = respondJson(error.status, body);
  return { ...response, headers: { ...response.headers, ...error.headers } };
};
