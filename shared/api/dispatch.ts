import type { TObject } from 'typebox';
import { asApiError, callRoute } from './call-route';
import { type Route, ROUTES } from './contract/routes';
import { ROUTE_SCOPES } from './contract/scopes';
import type { ApiService } from './handlers/service';
import type { ApiRequest, ApiResponse, Asked } from './http/http';
import { readJsonBody } from './http/json-body';
import { matchRoute, type RouteMatch } from './http/match-route';
import { namesOf, readQuery, unknownNames } from './http/query';
import { tokenRefusal } from './http/refuse-token';
import { respondError } from './http/respond';
import { respondAnswer } from './http/respond-answer';

export { createApiService, type ApiService } from './handlers/service';

/** Checks the token, after the route and before all other parts of a request. @throws ApiError 401 or 403 */
const requireAccess = ({ name }: RouteMatch, { headers }: ApiRequest, { access }: ApiService): void => {
  const refusal = tokenRefusal(access, headers['authorization'], ROUTE_SCOPES[name]);
  if (refusal) throw refusal;
};

/** Loaded with the first of them: the first load of a page must stay small. @throws ApiError `misspelt_parameter` */
const ignored = async (unknown: readonly string[], query: TObject): Promise<readonly string[]> => {
  const { ignoredParameters } = await import('./http/unknown-parameters');
  return ignoredParameters(unknown, namesOf(query));
};

/** Reads a request, calls its endpoint with values, and makes bytes of the answer. */
const answerOf = async (request: ApiRequest, service: ApiService): Promise<ApiResponse> => {
  const match = matchRoute(request.method, request.url);
  requireAccess(match, request, service);
  const { query, status }: Route = ROUTES[match.name];
  const given = readQuery(query, request.url);
  const unknown = unknownNames(query, request.url);
  const asked: Asked = {
    ...request,
    ...(unknown.length > 0 && { ignoredParameters: await ignored(unknown, query) }),
    readBody: async (schema, maxBytes) => readJsonBody(schema, await request.receiveBody(maxBytes)),
  };
  const answer = await callRoute(match, given, asked, service);
  return respondAnswer(answer, { request, status, ...service });
};

/** Logs an error of a body. The status was already sent, so the client recognises the error only by the length. */
async function* logged(body: AsyncIterable<Uint8Array>, { log }: ApiService): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    log.error('A download was interrupted.', error);
    throw error;
  }
}

/**
 * Answers one request in bytes. All hosts use this function.
 *
 * A host converts a request to an {@link ApiRequest} and sends the returned response unchanged. Never rejects.
 */
export const dispatch = async (request: ApiRequest, service: ApiService): Promise<ApiResponse> => {
  let response: ApiResponse;
  try {
    response = await answerOf(request, service);
  } catch (error) {
    response = respondError(asApiError(error, request, service));
  }
  if (request.method === 'HEAD') return { ...response, body: new Uint8Array(0) };
  return response.body instanceof Uint8Array
    ? response
    : { ...response, body: logged(response.body, service) };
};
