import type { ApiError } from '../contract/errors';
import type { ApiResponse } from './http';
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

/** The response for an error; all errors have this form (spec: Error body). */
export const respondError = (error: ApiError): ApiResponse => {
  const body: ErrorResponse = { detail: error.message };
  const response = respondJson(error.status, body);
  return { ...response, headers: { ...response.headers, ...error.headers } };
};
