import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from './errors';
import { ALIAS } from './schemas-parameters';
import { API_VERSION, FILE_PART, ROUTE_NAMES, ROUTES, type Route, type RouteName } from './routes';
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
    parameters: [...pathParameters(route), ...(isUpload ? [ASYNC_PARAMETER] : []), ...queryParameters(route)],
    ...(isUpload ? { requestBody: UPLOAD_BODY } : {}),
    responses: {
      [route.status]: { description: route.summary, content: successContent(route) },
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
      'Hides faces, license plates, persons and vehicles. Query parameter names take dashes or underscores.',
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
