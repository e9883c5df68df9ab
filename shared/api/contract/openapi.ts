import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from './errors';
import { LIMITS } from '../../domain/limits';
import { ALIAS } from './schemas-parameters';
import {
  API_VERSION,
  DOWNLOAD_STATUS,
  FILE_PART,
  ROUTE_NAMES,
  ROUTES,
  type Route,
  type RouteName,
} from './routes';
import { ErrorResponse } from './schemas-tasks';

type Json = Readonly<Record<string, unknown>>;

const ERROR_REFERENCE = { $ref: '#/components/schemas/Error' };

const queryParameters = ({ query }: Route): Json[] =>
  Object.entries<TSchema>(query.properties).map(([name, property]) => {
    const { description, deprecated, [ALIAS]: alias, ...schema } = property as TSchema & Json;
    return {
      name,
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
  description: 'Answers as soon as the file is queued.',
  schema: { type: 'boolean', default: false },
};

const IDEMPOTENCY_PARAMETER: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes it safe to send the upload again, with the same file and parameters: it is answered as the first one was, with the same id, and not processed twice. A key stands for 24 hours, or until its task or its files are deleted; with another file or other parameters it is refused. Uploads that were refused leave it free.',
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

/** As text: what cannot be understood is ignored, not refused. */
const DOWNLOAD_PARAMETERS: readonly Json[] = [
  header(
    'If-None-Match',
    'Entity tags of what the client has; the file is not sent where it is one of these.',
  ),
  header(
    'Range',
    'One range of bytes: `bytes=0-99`, `bytes=100-` or `bytes=-100`. Anything else is ignored.',
  ),
  header('If-Range', 'Entity tag that the file must have for `Range` to count.'),
];

const answerHeader = (description: string): Json => ({ description, schema: { type: 'string' } });
const DOWNLOAD_HEADERS: Json = {
  ETag: answerHeader('Strong: the same tag, the same bytes.'),
  'Content-Disposition': answerHeader("A name to save the file under, made from the upload's."),
  'Accept-Ranges': answerHeader('`bytes`'),
};

const downloadResponses = (route: Route): Json =>
  route.isDownload
    ? {
        [DOWNLOAD_STATUS.partial]: {
          description: 'The bytes that `Range` asks for',
          headers: { ...DOWNLOAD_HEADERS, 'Content-Range': answerHeader('`bytes <first>-<last>/<all>`') },
          content: successContent(route),
        },
        [DOWNLOAD_STATUS.notModified]: { description: 'The client has these bytes' },
      }
    : {};

const UPLOAD_BODY: Json = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: [FILE_PART],
        properties: { [FILE_PART]: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    },
  },
};

const successContent = ({ answer }: Route): Json =>
  isMediaTypes(answer)
    ? Object.fromEntries(answer.map((mediaType) => [mediaType, {}]))
    : { 'application/json': { schema: answer } };
const isMediaTypes = (answer: Route['answer']): answer is readonly string[] => Array.isArray(answer);

/** What every route may answer beside its own errors. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'bad_query',
  'bad_parameter',
  'contradictory_parameter',
  'not_admitted',
  'host_not_allowed',
  'origin_not_allowed',
  'internal',
];

const errorResponses = ({ errors }: Route): Json => {
  const codes = [...new Set([...errors, ...COMMON_ERRORS])];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes.filter((code) => ERRORS[code].status === status).join(', '),
        content: { 'application/json': { schema: ERROR_REFERENCE } },
      },
    ]),
  );
};

/** Groups of operations, in the order in which somebody needs them. */
const TAGS = {
  Upload: 'Hand in a file.',
  Results: 'Download what became of it.',
  Tasks: 'See how far tasks are, and delete them with their files.',
  Service: 'The service itself.',
} as const satisfies Record<string, string>;

const tagOf = ({ path, method }: Route): keyof typeof TAGS => {
  if (method === 'POST') return 'Upload';
  if (path.includes('/file/')) return 'Results';
  return path.includes('/task/') ? 'Tasks' : 'Service';
};

const operation = (name: RouteName): Json => {
  const route: Route = ROUTES[name];
  const isUpload = name === 'uploadFile';
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary: route.summary,
    parameters: [
      ...pathParameters(route),
      ...(isUpload ? [ASYNC_PARAMETER, IDEMPOTENCY_PARAMETER] : []),
      ...(route.isDownload ? DOWNLOAD_PARAMETERS : []),
      ...queryParameters(route),
    ],
    ...(isUpload ? { requestBody: UPLOAD_BODY } : {}),
    responses: {
      [route.status]: {
        description: route.summary,
        ...(route.isDownload ? { headers: DOWNLOAD_HEADERS } : {}),
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

/** The API's description (OpenAPI 3.1), made from the list of routes: it cannot say anything else than they do. */
export const openApi = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Veil',
    version: API_VERSION,
    description:
      'Hides faces, license plates, persons and vehicles. Query parameter names take dashes or underscores. Every GET can be asked as HEAD.',
  },
  paths: Object.fromEntries(
    [...new Set(ROUTE_NAMES.map((name) => ROUTES[name].path))].map((path) => [path, operationsOf(path)]),
  ),
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  // Either: a service asks for a token only where it was started with one.
  security: [{}, { token: [] }],
  components: {
    schemas: { Error: ErrorResponse },
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description: 'What the service was started with (`--token`).',
      },
    },
  },
});
