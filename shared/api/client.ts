import type { UploadQuery } from '../catalogue/derive-parameters';
import { type ApiBody, bytesOf } from './http/http';
import { ERROR_CODE_HEADER, STATUS } from './contract/basics';
import { type RouteName, pathOf, ROUTES } from './contract/routes';
import type {
  AnonymisedQuery,
  ImageMetadata,
  VideoMetadata,
  VideoMetadataQuery,
} from './contract/schemas-results';
import type { RedactionsQuery } from './contract/schemas-redactions';
import type { ReportQuery } from './contract/schemas-report';
import type { Edits, FollowedArea } from '../domain/edits/edits';
import type {
  CandidatesResponse,
  EditsBody,
  ReleaseQuery,
  StoppedEditsResponse,
  Decisions,
  DecisionsResponse,
} from './contract/schemas-edits';
import type {
  SubjectResponse,
  DeleteTaskQuery,
  ResultResponse,
  StatusResponse,
  TaskListResponse,
  TaskResponse,
  ErrorResponse,
} from './contract/schemas-tasks';
import type { HiddenAreas } from './contract/schemas-areas';
import type { GridFormat, IgnoreAreas, UploadResponse, VideoUploadResponse } from './contract/schemas-upload';
import { eventTexts } from './http/event-streams';
import { jsonBytes } from './http/respond';

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
  /** What another detector found in the file; over HTTP the form field `detections`. */
  readonly detections?: File;
  /** JSON, instead of files. */
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
}

export interface ClientResponse {
  readonly status: number;
  /** Values by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ApiBody;
  /** The same body as a file that the platform holds; absent where it has none. Only one of both is read. */
  readonly file?: () => Promise<Download['file']>;
}

/** The way to a service by requests: `fetch`, or `dispatch` itself. */
export type SendRequest<File> = (request: ClientRequest<File>) => Promise<ClientResponse>;

/** A downloaded file: its bytes, or the file itself, which is not read yet. */
export interface Download {
  readonly contentType: string;
  /** `handle`: as the platform knows it, a `Blob` in a page. */
  readonly file: Uint8Array | { readonly sizeBytes: number; readonly handle?: unknown };
}

/** A call of an endpoint, with values. */
export interface RouteCall<File> {
  readonly name: RouteName;
  readonly id?: string;
  /** Lists and objects are sent as JSON. */
  readonly parameters?: Readonly<Record<string, string | number | boolean | object | undefined>>;
  readonly files?: readonly File[];
  /** See `ClientRequest`. */
  readonly detections?: File | undefined;
  readonly body?: object;
  /** The tag of the edits that the caller has seen: if they were changed since, the call is refused. */
  readonly ifMatch?: string | undefined;
  /** Answered before the work is done. */
  readonly isAsync?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The answer of a call. One of its readers is used, once, by the form that the endpoint's answers have. */
export interface RouteAnswer {
  value(): Promise<unknown>;
  content(): Promise<Download>;
  events(): AsyncIterable<unknown>;
  /** Of what a service answers over HTTP, where it has one. */
  readonly tag?: string | undefined;
}

/** The way to a service: `callWithin` in the same program, `callOverHttp` elsewhere. @throws RefusedRequest */
export type CallRoute<File> = (call: RouteCall<File>) => Promise<RouteAnswer>;

/** An answer other than the one asked for; `message` is the service's sentence. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(
    readonly status: number,
    detail: string,
    /** Of the error, as the service names it; absent where something between us and the service has answered. */
    readonly code?: string,
  ) {
    super(detail);
  }
}

const queryText = (parameters: NonNullable<RouteCall<never>['parameters']>): string => {
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

async function* eventsOf(body: ApiBody): AsyncGenerator<unknown> {
  for await (const text of eventTexts(body)) yield JSON.parse(text);
}

/** The way to a service by requests: values are written as text, and read from it. */
export const callOverHttp =
  <File>(send: SendRequest<File>): CallRoute<File> =>
  async ({ name, id, parameters = {}, files, detections, body: json, ifMatch, isAsync = false, signal }) => {
    const response = await send({
      method: ROUTES[name].method,
      url: pathOf(name, id) + queryText(parameters),
      headers: {
        ...(json && { 'content-type': 'application/json' }),
        ...(isAsync && { 'x-is-async': 'true' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(files && { files }),
      ...(detections && { detections }),
      ...(json && { body: jsonBytes(json) }),
      ...(signal && { signal }),
    });
    const { status, headers, body, file } = response;
    if (status !== STATUS.success) {
      throw new RefusedRequest(status, await detailOf(response), headers[ERROR_CODE_HEADER]);
    }
    return {
      value: async () => JSON.parse(await textOf(body)) as unknown,
      content: async () => ({
        contentType: headers['content-type'] ?? 'application/octet-stream',
        file: (await file?.()) ?? (await bytesOf(body)),
      }),
      events: () => eventsOf(body),
      tag: headers['etag'],
    };
  };

/** Parameters of an upload; `format`, `ignores` and `hides` as values, not as text. */
export type UploadParameters = Partial<Omit<UploadQuery, 'format' | 'ignores' | 'hides'>> & {
  readonly format?: string | GridFormat;
  readonly ignores?: IgnoreAreas;
  readonly hides?: HiddenAreas;
};

/** How an upload is answered, and what is known of the file. */
interface UploadOptions<File> {
  /** Answered as soon as the file is queued. */
  readonly isAsync?: boolean;
  readonly signal?: AbortSignal;
  /** See `ClientRequest`. */
  readonly detections?: File | undefined;
}

export type ApiClient<File> = ReturnType<typeof createApiClient<File>>;

/** Who calls a service: every endpoint as a function. All of them reject with {@link RefusedRequest}. */
export const createApiClient = <File>(call: CallRoute<File>) => {
  type Options = Omit<RouteCall<File>, 'name'>;
  const json = async <T>(name: RouteName, options?: Options): Promise<T> =>
    (await (await call({ name, ...options })).value()) as T;
  const download = async (name: RouteName, options: Options): Promise<Download> =>
    (await call({ name, ...options })).content();

  return {
    upload: (
      file: File,
      parameters: UploadParameters = {},
      { isAsync = false, signal, detections }: UploadOptions<File> = {},
    ) =>
      json<UploadResponse | VideoUploadResponse>('uploadFile', {
        ...{ files: [file], parameters, isAsync, signal, detections },
      }),
    status: () => json<StatusResponse>('getStatus'),
    task: (id: string) => json<TaskResponse>('getTask', { id }),
    /** The record now and after each change, until the task and its edits have ended, or the signal aborts. */
    async *watch(id: string, signal?: AbortSignal): AsyncGenerator<TaskResponse> {
      yield* (await call({ name: 'watchTask', id, signal })).events() as AsyncIterable<TaskResponse>;
    },
    edits: (id: string) => json<Edits & { readonly followed?: readonly FollowedArea[] }>('getEdits', { id }),
    /** @param options `isAsync`: answered as soon as the edits are accepted */
    putEdits: (
      id: string,
      edits: Edits | EditsBody,
      { isAsync = false, signal }: { readonly isAsync?: boolean; readonly signal?: AbortSignal } = {},
    ) =>
      json<UploadResponse | VideoUploadResponse>('putEdits', {
        ...{ id, body: edits, isAsync, signal },
      }),
    /** Stops edits that wait or run; edits that were applied before stay. */
    stopEdits: (id: string) => json<StoppedEditsResponse>('stopEdits', { id }),
    decisions: (id: string) => json<DecisionsResponse>('getDecisions', { id }),
    /** Records decisions about single objects, instead of all decisions before. */
    putDecisions: (id: string, body: Decisions) => json<ResultResponse>('putDecisions', { id, body }),
    /** The tag of the edits that a result shows, for `release`. */
    editsTag: async (id: string) => (await call({ name: 'getEdits', id })).tag,
    /** Lets others download a result, where the service asks for it. @param ifMatch see `RouteCall` */
    release: (id: string, parameters: ReleaseQuery = {}, ifMatch?: string) =>
      json<ResultResponse>('releaseFile', { id, parameters, ifMatch }),
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
    /** The same report as a page for printing. */
    reportPage: (id: string) => download('getReportPage', { id }),
    redactions: (id: string, parameters: Partial<RedactionsQuery> = {}) =>
      download('getRedactions', { id, parameters }),
    anonymised: (id: string, parameters: Partial<AnonymisedQuery> = {}) =>
      download('getAnonymised', { id, parameters }),
    anonymisedVideo: (id: string) => download('getAnonymisedVideo', { id }),
    /** @param scalePercent above 0 to 100 */
    binaryMask: (id: string, scalePercent?: number) =>
      download('getBinaryMask', { id, parameters: { 'mask-scale': scalePercent } }),
    instanceMask: (id: string, scalePercent?: number) =>
      download('getInstanceMask', { id, parameters: { 'mask-scale': scalePercent } }),
  };
};
