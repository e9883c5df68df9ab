import { bytesOf } from './http/body';
import { eventTexts } from './http/event-stream';
import type { ApiBody } from './http/http';
import { pathOf, ROUTES, type RouteName } from './contract/routes';
import type {
  AnonymisedQuery,
  ImageMetadata,
  VideoMetadata,
  VideoMetadataQuery,
} from './contract/schemas-results';
import type { ReportQuery } from './contract/schemas-report';
import type { Edits, FollowedArea } from '../domain/edits/edits';
import type { CandidatesResponse, StoppedEditsResponse } from './contract/schemas-edits';
import type { Decisions, DecisionsResponse } from './contract/schemas-decisions';
import type { SubjectResponse } from './contract/schemas-subjects';
import type {
  DeleteTaskQuery,
  ErrorResponse,
  ResultResponse,
  StatusResponse,
  TaskListResponse,
  TaskResponse,
} from './contract/schemas-tasks';
import type {
  GridFormat,
  IgnoreAreas,
  UploadQuery,
  UploadResponse,
  VideoUploadResponse,
} from './contract/schemas-upload';

/**
 * A request of the client. `File` is the caller's type of a file. If the API runs in the same page, files are passed by
 * reference; over HTTP each becomes a form field `fileobject`.
 */
export interface ClientRequest<File> {
  readonly method: string;
  /** Path and query, which are appended to the service's address. */
  readonly url: string;
  /** Values by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly files?: readonly File[];
  /** JSON, instead of files. */
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
}

export interface ClientResponse {
  readonly status: number;
  /** Values by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ApiBody;
}

/** The way to a service: `fetch`, or `dispatch` itself. */
export type SendRequest<File> = (request: ClientRequest<File>) => Promise<ClientResponse>;

/** An answer other than the one asked for; `message` is the service's sentence. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail);
  }
}

/** Parameters of an upload; `format` and `ignores` as values, not as text. */
export type UploadParameters = Partial<Omit<UploadQuery, 'format' | 'ignores'>> & {
  readonly format?: string | GridFormat;
  readonly ignores?: IgnoreAreas;
};

/** A downloaded file. */
export interface Download {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type ApiClient<File> = ReturnType<typeof createApiClient<File>>;

type ParameterValue = string | number | boolean | object | undefined;

const queryText = (parameters: Readonly<Record<string, ParameterValue>>): string => {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
    });
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
};

const textOf = async (body: ApiBody): Promise<string> => new TextDecoder('utf-8').decode(await bytesOf(body));

/** The service's sentence, or a plain one where something between us and the service has answered. */
const detailOf = async ({ status, body }: ClientResponse): Promise<string> => {
  try {
    const { detail } = JSON.parse(await textOf(body)) as Partial<ErrorResponse>;
    if (typeof detail === 'string') return detail;
  } catch {
    // No JSON: not an answer of the service.
  }
  return `The service answered with status ${status}.`;
};

interface CallOptions<File> {
  readonly id?: string;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly files?: readonly File[];
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

const jsonBody = (body: object) => ({
  body: new TextEncoder().encode(JSON.stringify(body)),
  headers: { 'content-type': 'application/json' },
});

/** @throws RefusedRequest */
const callRoute = async <File>(
  send: SendRequest<File>,
  name: RouteName,
  { id, parameters = {}, headers = {}, files, body, signal }: CallOptions<File> = {},
): Promise<ClientResponse> => {
  const json = body && jsonBody(body);
  const response = await send({
    method: ROUTES[name].method,
    url: pathOf(name, id) + queryText(parameters),
    headers: { ...json?.headers, ...headers },
    ...(files && { files }),
    ...(json && { body: json.body }),
    ...(signal ? { signal } : {}),
  });
  if (response.status !== ROUTES[name].status) {
    throw new RefusedRequest(response.status, await detailOf(response));
  }
  return response;
};

const asDownload = async ({ headers, body }: ClientResponse): Promise<Download> => ({
  contentType: headers['content-type'] ?? 'application/octet-stream',
  bytes: await bytesOf(body),
});

/** Who calls a service: every endpoint as a function. All of them reject with {@link RefusedRequest}. */
export const createApiClient = <File>(send: SendRequest<File>) => {
  const json = async <T>(name: RouteName, options?: CallOptions<File>): Promise<T> =>
    JSON.parse(await textOf((await callRoute(send, name, options)).body)) as T;
  const download = async (name: RouteName, options: CallOptions<File>): Promise<Download> =>
    asDownload(await callRoute(send, name, options));

  return {
    /** @param options `isAsync`: answered as soon as the file is queued */
    upload: (
      file: File,
      parameters: UploadParameters = {},
      { isAsync = false, signal }: { readonly isAsync?: boolean; readonly signal?: AbortSignal } = {},
    ) =>
      json<UploadResponse | VideoUploadResponse>('uploadFile', {
        files: [file],
        parameters,
        headers: isAsync ? { 'x-is-async': 'true' } : {},
        signal,
      }),
    status: () => json<StatusResponse>('getStatus'),
    task: (id: string) => json<TaskResponse>('getTask', { id }),
    /** The record now and after each change, until the task and its edits have ended, or the signal aborts. */
    async *watch(id: string, signal?: AbortSignal): AsyncGenerator<TaskResponse> {
      const { body } = await callRoute(send, 'watchTask', { id, signal });
      for await (const text of eventTexts(body)) yield JSON.parse(text) as TaskResponse;
    },
    edits: (id: string) => json<Edits & { readonly followed?: readonly FollowedArea[] }>('getEdits', { id }),
    /** @param options `isAsync`: answered as soon as the edits are accepted */
    putEdits: (
      id: string,
      edits: Edits,
      { isAsync = false, signal }: { readonly isAsync?: boolean; readonly signal?: AbortSignal } = {},
    ) =>
      json<UploadResponse | VideoUploadResponse>('putEdits', {
        id,
        body: edits,
        headers: isAsync ? { 'x-is-async': 'true' } : {},
        signal,
      }),
    /** Stops edits that wait or run; edits that were applied before stay. */
    stopEdits: (id: string) => json<StoppedEditsResponse>('stopEdits', { id }),
    decisions: (id: string) => json<DecisionsResponse>('getDecisions', { id }),
    /** Records decisions about single objects, instead of all decisions before. */
    putDecisions: (id: string, body: Decisions) => json<ResultResponse>('putDecisions', { id, body }),
    candidates: (id: string) => json<CandidatesResponse>('getCandidates', { id }),
    tasks: () => json<TaskListResponse>('listTasks'),
    deleteTask: (id: string, scope?: DeleteTaskQuery['delete-scope']) =>
      json<ResultResponse>('deleteTask', { id, parameters: { 'delete-scope': scope } }),
    deleteAllTasks: (scope?: DeleteTaskQuery['delete-scope']) =>
      json<ResultResponse>('deleteAllTasks', { parameters: { confirm: true, 'delete-scope': scope } }),
    /** @param photos one to ten, with one face each; they are not kept */
    createSubject: (photos: readonly File[]) => json<SubjectResponse>('createSubject', { files: photos }),
    subject: (id: string) => json<SubjectResponse>('getSubject', { id }),
    /** Deletes the biometric data of a subject. */
    deleteSubject: (id: string) => json<ResultResponse>('deleteSubject', { id }),
    metadata: (id: string) => json<ImageMetadata>('getMetadata', { id }),
    videoMetadata: (id: string, parameters: Partial<VideoMetadataQuery> = {}) =>
      json<VideoMetadata>('getVideoMetadata', { id, parameters }),
    /** The signed bytes: a report that is parsed and written again may not be verified. */
    report: (id: string, parameters: Partial<ReportQuery> = {}) => download('getReport', { id, parameters }),
    anonymised: (id: string, parameters: Partial<AnonymisedQuery> = {}) =>
      download('getAnonymised', { id, parameters }),
    /** @param scalePercent above 0 to 100 */
    binaryMask: (id: string, scalePercent?: number) =>
      download('getBinaryMask', { id, parameters: { 'mask-scale': scalePercent } }),
    instanceMask: (id: string, scalePercent?: number) =>
      download('getInstanceMask', { id, parameters: { 'mask-scale': scalePercent } }),
  };
};
