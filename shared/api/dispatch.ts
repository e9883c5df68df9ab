import type { TObject } from 'typebox';
import { DETECTIONS_PART, queryOf, type RouteName } from './contract/routes';
import { ROUTE_SCOPES, tokenRefusal, type RouteScope } from './contract/scopes';
import type { ApiService, Handler, QueryOf } from './handlers/service';
import type {
  ApiRequest,
  ApiResponse,
  HandlerRequest,
  HandlerAnswer,
  LongArray,
  UploadPart,
} from './http/http';
import { readJsonBody, checkBody } from './http/json-body';
import { matchRoute, type RouteMatch } from './http/match-route';
import { namesOf, readQuery, unknownNames, withDefaults, readValues } from './http/query';
import { respondError, respondAnswer } from './http/respond';
import { ServiceUnavailable, StorageUnavailable } from '../tasks/base/service-unavailable';
import { ApiError, errorOfFailure } from './contract/errors';
import * as reportHandlers from './handlers/report/report-handlers';
import * as resultHandlers from './handlers/result-handlers';
import * as taskHandlers from './handlers/task-handlers';
import { uploadFile } from './handlers/upload-handler';
import * as editHandlers from './handlers/edits/edit-handlers';
import { type CallRoute, RefusedRequest } from './client';

export { createApiService, type ApiService } from './handlers/service';

/** Loaded by a host that has a gate, and with the first release. */
const releaseGate = () => import('./handlers/release-gate');

/** Whether a request asks for a result before its release: the scope `edit` allows it. */
const isForReview = (query: object): boolean => 'for-review' in query && query['for-review'] === true;

/** Loaded with the first decision. */
const decisionHandlers = () => import('./handlers/edits/decision-handlers');

/** Loaded with the first request about subjects: the first load of a page must stay small. */
const subjectHandlers = () => import('./handlers/subject-handlers');

const HANDLERS: { readonly [N in RouteName]: Handler<N> } = {
  uploadFile,
  ...reportHandlers,
  ...resultHandlers,
  ...taskHandlers,
  ...editHandlers,
  releaseFile: async (call) => (await releaseGate()).releaseFile(call),
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
export const callRoute = async <N extends RouteName>(
  { name, id }: RouteMatch & { name: N },
  given: Partial<QueryOf<N>>,
  request: HandlerRequest,
  service: ApiService,
): Promise<HandlerAnswer> => {
  const query = withDefaults(queryOf(name), given) as QueryOf<N>;
  const answer = () => HANDLERS[name]({ id, query, given, request, service });
  if (!service.settings.releaseGate || isForReview(query)) return answer();
  return (await releaseGate()).behindGate(name, { id, service }, answer);
};

/** What a caller is told of a failed call. Errors that are not in the error table are logged. */
export const asApiError = (
  error: unknown,
  { signal }: Pick<HandlerRequest, 'signal'>,
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

/** Checks the token, after the route and before all other parts of a request. @throws ApiError 401 or 403 */
const requireAccess = (scope: RouteScope, { headers }: ApiRequest, { access }: ApiService): void => {
  const refusal = tokenRefusal(access, headers['authorization'], scope);
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
  requireAccess(ROUTE_SCOPES[match.name], request, service);
  const query = queryOf(match.name);
  const given = readQuery(query, request.url);
  if (isForReview(given)) requireAccess('edit', request, service);
  const unknown = unknownNames(query, request.url);
  const asked: HandlerRequest = {
    ...request,
    ...(unknown.length > 0 && { ignoredParameters: await ignored(unknown, query) }),
    readBody: async (schema, maxBytes) => readJsonBody(schema, await request.receiveBody(maxBytes)),
  };
  const answer = await callRoute(match, given, asked, service);
  return respondAnswer(answer, { request, ...service });
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

const elementsOf = async (list: LongArray<unknown>): Promise<unknown[]> => {
  const elements: unknown[] = [];
  for await (const group of list.groups()) elements.push(...group.map((one) => list.write(one)));
  return elements;
};

/**
 * The way to a service in the same program: values go in and come out, after the same checks as those of a request. Who
 * shares the program with a service needs no token.
 *
 * @param receive a file as a part of an upload
 */
export const callWithin =
  <File>(service: ApiService, receive: (file: File) => UploadPart): CallRoute<File> =>
  async ({ name, id = '', parameters = {}, files, detections, body = {}, isAsync = false, signal }) => {
    const asked: HandlerRequest = {
      headers: isAsync ? { 'x-is-async': 'true' } : {},
      receiveUpload: async () => {
        if (!files) throw new ApiError('no_file');
        const given = detections === undefined ? [] : [{ ...receive(detections), name: DETECTIONS_PART }];
        return [...files.map(receive), ...given];
      },
      readBody: async (schema, maxBytes) => checkBody(schema, body, maxBytes),
      signal: signal ?? new AbortController().signal,
    };
    try {
      const given = readValues(queryOf(name), parameters);
      const answer = await callRoute({ name, id }, given, asked, service);
      return {
        value: async () => ('list' in answer ? elementsOf(answer.list) : 'value' in answer && answer.value),
        content: async () => {
          if ('download' in answer) return answer.download;
          throw new Error(`${name} is no download`);
        },
        events: () => {
          if ('events' in answer) return answer.events;
          throw new Error(`${name} has no events`);
        },
      };
    } catch (error) {
      const { status, message, code } = asApiError(error, asked, service);
      throw new RefusedRequest(status, message, code);
    }
  };
