import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from './errors';
import { LIMITS } from '../../domain/limits';
import { portable } from './portable-schema';
import {
  API_VERSION,
  DETECTIONS_PART,
  FILE_PART,
  queryOf,
  ROUTE_NAMES,
  ROUTES,
  type Route,
  type RouteName,
} from './routes';
import { STATUS } from './basics';
import { ROUTE_SCOPES } from './scopes';
import { ErrorResponse } from './schemas-tasks';
import { ALIAS } from './schemas-upload';

type Json = Readonly<Record<string, unknown>>;

const ERROR_REFERENCE = { $ref: '#/components/schemas/Error' };

const queryParameters = (name: RouteName): Json[] =>
  Object.entries<TSchema>(queryOf(name).properties).map(([parameter, property]) => {
    const { description, deprecated, [ALIAS]: alias, ...schema } = property as TSchema & Json;
    return {
      name: parameter,
      in: 'query',
      description:
        alias === undefined ? description : `${String(description)} Also accepted as \`${String(alias)}\`.`,
      ...(deprecated ? { deprecated } : {}),
      schema,
    };
  });

const pathParameters = ({ path }: Route): Json[] =>
  path.includes('{id}')
    ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }]
    : [];

const ASYNC_PARAMETER: Json = {
  name: 'x-is-async',
  in: 'header',
  description: 'Responds as soon as the file or the edits are queued.',
  schema: { type: 'boolean', default: false },
};

const IDEMPOTENCY_PARAMETER: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes repeated uploads safe: a second upload with the same key, file and parameters returns the id of the first one and is not processed again. A key is valid for 24 hours, or until its task or files are deleted. A key with another file or other parameters is refused. A refused upload does not use up its key.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: LIMITS.maxIdempotencyKeyChars,
    pattern: '^[ -~]*[!-~][ -~]*$',
  },
};

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

const IF_MATCH_PARAMETER = header(
  'If-Match',
  'Entity tags of edits: the request is refused if the edits have none of these any more.',
);

/** Headers of downloads. They are described as text, because invalid values are ignored and not refused. */
const DOWNLOAD_PARAMETERS: readonly Json[] = [
  header('If-None-Match', 'Entity tags that the client has; the file is not sent if it has one of these.'),
  header(
    'Range',
    'One range of bytes: `bytes=0-99`, `bytes=100-` or `bytes=-100`. Other values are ignored.',
  ),
  header('If-Range', 'Entity tag of the file; with another tag, `Range` is ignored.'),
];

const answerHeader = (description: string): Json => ({ description, schema: { type: 'string' } });
const DOWNLOAD_HEADERS: Json = {
  ETag: answerHeader('Strong entity tag: equal tags mean equal bytes.'),
  'Content-Disposition': answerHeader('File name for saving, derived from the name of the upload.'),
  'Accept-Ranges': answerHeader('`bytes`'),
};

const downloadResponses = (route: Route): Json =>
  route.isDownload
    ? {
        [STATUS.partial]: {
          description: 'The requested range of bytes',
          headers: { ...DOWNLOAD_HEADERS, 'Content-Range': answerHeader('`bytes <first>-<last>/<all>`') },
          content: successContent(route),
        },
        [STATUS.notModified]: { description: 'The client already has this file' },
      }
    : {};

/** `format` is of OpenAPI 3.0: without it, generators for Python send and return texts instead of files. */
const BINARY: Json = { type: 'string', format: 'binary' };
const FILE: Json = { ...BINARY, contentMediaType: 'application/octet-stream' };

/** A multipart body. @param parts schema of the part with the files @param others schemas of parts that may be absent */
const formBody = (parts: Json, others: Readonly<Record<string, Json>> = {}): Json => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: { type: 'object', required: [FILE_PART], properties: { [FILE_PART]: parts, ...others } },
    },
  },
});

const UPLOAD_BODY = formBody(FILE, {
  [DETECTIONS_PART]: {
    ...FILE,
    description:
      'Objects that another program, or an export of Veil, names in the file: JSON Lines or COCO. All of them are hidden, whatever their class and score, and nothing is searched.',
  },
});
const PHOTOS_BODY = formBody({
  type: 'array',
  minItems: 1,
  maxItems: LIMITS.maxSubjectPhotos,
  items: FILE,
});

/** Media types of answers that clients save as a file. */
const IS_FILE = /^(image|video)\//;

const successContent = ({ answer, otherForm }: Route): Json =>
  isMediaTypes(answer)
    ? Object.fromEntries(
        answer.map((mediaType) => [mediaType, IS_FILE.test(mediaType) ? { schema: BINARY } : {}]),
      )
    : { 'application/json': { schema: answer }, ...(otherForm && { [otherForm]: {} }) };
const isMediaTypes = (answer: Route['answer']): answer is readonly string[] => Array.isArray(answer);

/** Errors that all routes may answer in addition to their own. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'bad_query',
  'bad_parameter',
  'contradictory_parameter',
  'misspelt_parameter',
  'not_admitted',
  'scope_missing',
  'host_not_allowed',
  'origin_not_allowed',
  'internal',
  'unavailable',
  'too_many_connections',
];

/** A text without a list of values: an error may be added. */
const ERROR_HEADERS: Json = { 'X-Error-Code': answerHeader('Which error it is: one of the description.') };

const errorResponses = ({ errors }: Route): Json => {
  const codes = [...new Set([...errors, ...COMMON_ERRORS])];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes.filter((code) => ERRORS[code].status === status).join(', '),
        headers: ERROR_HEADERS,
        content: { 'application/json': { schema: ERROR_REFERENCE } },
      },
    ]),
  );
};

/** Groups of operations, in the usual order of their use. */
const TAGS = {
  Upload: 'Upload a file.',
  Results: 'Download results.',
  Tasks: 'Query the progress of tasks, and delete tasks and their files.',
  Subjects: 'Persons who stay visible where an upload names them.',
  Service: 'Status and description of the service.',
} as const satisfies Record<string, string>;

const tagOf = ({ path, method }: Route): keyof typeof TAGS => {
  if (path.includes('/subjects')) return 'Subjects';
  // A release is a step of a review, like decisions.
  if (path.includes('/task/') || path.endsWith('/release')) return 'Tasks';
  if (method === 'POST') return 'Upload';
  return path.includes('/file/') ? 'Results' : 'Service';
};

const VERSION_HEADERS: Json = { ETag: answerHeader('Entity tag of the edits.') };

/** The file, or JSON. */
const requestBody = (name: RouteName): Json => {
  const { body }: Route = ROUTES[name];
  if (name === 'uploadFile') return { requestBody: UPLOAD_BODY };
  if (name === 'createSubject') return { requestBody: PHOTOS_BODY };
  return body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {};
};

const headerParameters = (
  name: RouteName,
  { method, canBeAsync, isVersioned, isDownload }: Route,
): Json[] => [
  ...(canBeAsync ? [ASYNC_PARAMETER] : []),
  ...(name === 'uploadFile' ? [IDEMPOTENCY_PARAMETER] : []),
  ...(isVersioned && method !== 'GET' ? [IF_MATCH_PARAMETER] : []),
  ...(isDownload ? DOWNLOAD_PARAMETERS : []),
];

/** Both alternatives, because a service requires a token only if it was started with one. */
const securityOf = (name: RouteName): readonly Json[] => {
  const scope = ROUTE_SCOPES[name];
  return [{}, { token: scope === 'any' ? [] : [scope] }];
};

const operation = (name: RouteName): Json => {
  const route: Route = ROUTES[name];
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary: route.summary,
    description: route.description,
    security: securityOf(name),
    parameters: [...pathParameters(route), ...headerParameters(name, route), ...queryParameters(name)],
    ...requestBody(name),
    responses: {
      [STATUS.success]: {
        description: route.summary,
        ...(route.isDownload ? { headers: DOWNLOAD_HEADERS } : {}),
        ...(route.isVersioned && route.method === 'GET' ? { headers: VERSION_HEADERS } : {}),
        content: successContent(route),
      },
      ...downloadResponses(route),
      ...errorResponses(route),
    },
  };
};

const operationsOf = (path: string): Json =>
  Object.fromEntries(
    ROUTE_NAMES.filter((name) => ROUTES[name].path === path).map((name) => [
      ROUTES[name].method.toLowerCase(),
      operation(name),
    ]),
  );

const document = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Veil',
    version: API_VERSION,
    description:
      'Hides faces, license plates, persons, vehicles and text. Names of query parameters may be written with dashes or underscores. Every GET endpoint also accepts HEAD.',
    license: { name: 'MIT License', identifier: 'MIT' },
  },
  // Relative to the address of this document.
  servers: [{ url: '/' }],
  paths: Object.fromEntries(
    [...new Set(ROUTE_NAMES.map((name) => ROUTES[name].path))].map((path) => [path, operationsOf(path)]),
  ),
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  components: {
    schemas: { Error: ErrorResponse },
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description:
          'A token with which the service was started: `--token`, or one of `--tokens` that has the scope of the operation or the scope `all`.',
      },
    },
  },
});

/** The API's description (OpenAPI 3.1), generated from the list of routes so that both always agree. */
export const openApi = (): Json => portable(document()) as Json;
