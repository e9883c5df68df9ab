import { ServiceUnavailable } from '../tasks/base/service-unavailable';
import { StorageUnavailable } from '../tasks/base/storage-unavailable';
import { ApiError, errorOfFailure } from './contract/errors';
import { type Route, ROUTES, type RouteName } from './contract/routes';
import { getAnonymised, getBinaryMask, getInstanceMask, getMetadata } from './handlers/result-handlers';
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
import type { HandlerAnswer } from './http/answer';
import type { Asked } from './http/http';
import type { RouteMatch } from './http/match-route';
import { withDefaults } from './http/query';

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

/**
 * Calls an endpoint with values, and returns values.
 *
 * @param given checked parameters
 * @throws anything: see `asApiError`
 */
export const callRoute = <N extends RouteName>(
  { name, id }: RouteMatch & { name: N },
  given: Partial<QueryOf<N>>,
  request: Asked,
  service: ApiService,
): Promise<HandlerAnswer> => {
  const { query: schema }: Route = ROUTES[name];
  const query = withDefaults(schema, given) as QueryOf<N>;
  return HANDLERS[name]({ id, query, given, request, service });
};

/** What a caller is told of a failed call. Errors that are not in the error table are logged. */
export const asApiError = (
  error: unknown,
  { signal }: Pick<Asked, 'signal'>,
  { log }: ApiService,
): ApiError => {
  if (error instanceof ApiError) return error;
  // The work of a client that has left was stopped.
  if (!signal.aborted || error !== signal.reason) log.error('A request failed.', error);
  if (error instanceof ServiceUnavailable) return new ApiError('unavailable', error.sentence);
  if (!(error instanceof StorageUnavailable)) return new ApiError('internal');
  const { reason, failure } = error;
  return reason === 'unreachable' ? new ApiError('unavailable', failure.sentence) : errorOfFailure(failure);
};
