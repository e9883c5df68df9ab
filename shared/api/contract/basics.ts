/** Prefix of all paths of the API. Hosts pass requests with this prefix to `dispatch`. */
export const API_PREFIX = '/v1/';

/** A second path of the API's description, where tools expect it. */
export const OPENAPI_ALIAS = '/openapi.json';

/** Whether the API answers requests for a path, possibly with 404. */
export const isApiPath = (path: string): boolean =>
  path.startsWith(API_PREFIX) || `${path}/` === API_PREFIX || path === OPENAPI_ALIAS;

/** Server-sent events (HTML standard, section 9.2). */
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Statuses of successful answers: of all routes, and in addition those of downloads. */
export const STATUS = { success: 200, partial: 206, notModified: 304 } as const;

/** Header of each answer that refuses something: the error's code, which stays when its sentence changes. */
export const ERROR_CODE_HEADER = 'x-error-code';
