import { ServiceUnavailable } from '../tasks/base/service-unavailable';
import { StorageUnavailable } from '../tasks/base/storage-unavailable';
import { ApiError, errorOfFailure } from './contract/errors';
import type { ApiRequest, ApiResponse } from './http/http';
import { matchRoute, type RouteMatch } from './http/match-route';
import { readQuery, withDefaults } from './http/query';
import { tokenRefusal } from './http/refuse-token';
import { respondError } from './http/respond';
import { getAnonymised, getBinaryMask, getInstanceMask, getMetadata } from './handlers/result-handlers';
import { type Route, ROUTES, type RouteName } from './contract/routes';
import { ROUTE_SCOPES } from './contract/scopes';
import type { ApiService, Handler, QueryOf } from './handlers/service';
import {
  deleteAllTasks,
  deleteTask,
  getOpenApi,
  getStatus,
  getTask,
  listTasks,
} from './handlers/task-handlers';
import { getReport, getReportPage } from './handlers/report/report-handlers';
import { uploadFile } from './handlers/upload-handler';
import { getCandidates, getEdits, putEdits, stopEdits } from './handlers/edits/edit-handlers';
import { watchTask } from './handlers/watch-task';
import { getAnonymisedVideo, getVideoMetadata } from './handlers/video-handlers';

export { createApiService, type ApiService } from './handlers/service';

/** Loaded with the first decision. */
const decisionHandlers = () => import('./handlers/edits/decision-handlers');

/** Loaded with the first request about subjects: the first load of a page must stay small. */
const subjectHandlers = () => import('./handlers/subjects/subject-handlers');

const HANDLERS: { readonly [N in RouteName]: Handler<N> } = {
  uploadFile,
  getAnonymised,
  getBinaryMask,
  getInstanceMask,
  getMetadata,
  getAnonymisedVideo,
  getVideoMetadata,
  getReport,
  getReportPage,
  getOpenApi,
  getStatus,
  listTasks,
  deleteAllTasks,
  getTask,
  deleteTask,
  getEdits,
  putEdits,
  stopEdits,
  getCandidates,
  watchTask,
  getDecisions: async (call) => (await decisionHandlers()).getDecisions(call),
  putDecisions: async (call) => (await decisionHandlers()).putDecisions(call),
  createSubject: async (call) => (await subjectHandlers()).createSubject(call),
  listSubjects: async (call) => (await subjectHandlers()).listSubjects(call),
  getSubject: async (call) => (await subjectHandlers()).getSubject(call),
  deleteSubject: async (call) => (await subjectHandlers()).deleteSubject(call),
};

const call = async <N extends RouteName>(
  { name, id }: RouteMatch & { name: N },
  request: ApiRequest,
  service: ApiService,
): Promise<ApiResponse> => {
  const { query: schema, status }: Route = ROUTES[name];
  const given = readQuery(schema, request.url) as Partial<QueryOf<N>>;
  const query = withDefaults(schema, given) as QueryOf<N>;
  return HANDLERS[name]({ id, query, given, request, status, service });
};

/** Checks the token, after the route and before all other parts of a request. @throws ApiError 401 or 403 */
const requireAccess = ({ name }: RouteMatch, { headers }: ApiRequest, { access }: ApiService): void => {
  const refusal = tokenRefusal(access, headers['authorization'], ROUTE_SCOPES[name]);
  if (refusal) throw refusal;
};

/** The answer to a failed call. Errors that are not in the error table are logged. */
const asApiError = (error: unknown, { signal }: ApiRequest, { log }: ApiService): ApiError => {
  if (error instanceof ApiError) return error;
  // The work of a client that has left was stopped.
  if (!signal.aborted || error !== signal.reason) log.error('A request failed.', error);
  if (error instanceof ServiceUnavailable) return new ApiError('unavailable', error.sentence);
  if (!(error instanceof StorageUnavailable)) return new ApiError('internal');
  const { reason, failure } = error;
  return reason === 'unreachable' ? new ApiError('unavailable', failure.sentence) : errorOfFailure(failure);
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
 * Answers one request. All hosts use this function.
 *
 * A host converts a request to an {@link ApiRequest} and sends the returned response unchanged. Never rejects.
 */
export const dispatch = async (request: ApiRequest, service: ApiService): Promise<ApiResponse> => {
  let response: ApiResponse;
  try {
    const match = matchRoute(request.method, request.url);
    requireAccess(match, request, service);
    response = await call(match, request, service);
  } catch (error) {
    response = respondError(asApiError(error, request, service));
  }
  if (request.method === 'HEAD') return { ...response, body: new Uint8Array(0) };
  return response.body instanceof Uint8Array
    ? response
    : { ...response, body: logged(response.body, service) };
};
