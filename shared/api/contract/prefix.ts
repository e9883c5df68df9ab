/** Under which every path of the API lies: what hosts hand to `dispatch`. */
export const API_PREFIX = '/v1/';

/** Where tools look for an API's description, beside its own path. */
export const OPENAPI_ALIAS = '/openapi.json';

/** Whether a path is the API's to answer, be it with "not found". */
export const isApiPath = (path: string): boolean =>
  path.startsWith(API_PREFIX) || `${path}/` === API_PREFIX || path === OPENAPI_ALIAS;
