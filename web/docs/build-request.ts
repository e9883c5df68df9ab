import type { ClientRequest } from '#shared/api/client';
import type { Operation, Parameter } from './openapi-document';

/** Form values by parameter name; an empty text means no value. */
export type FormValues = Readonly<Record<string, string>>;

/** Name of the field of a JSON body; no parameter has it. */
export const JSON_BODY = 'JSON body';

const jsonOf = ({ takesJson }: Operation, values: FormValues): string | undefined =>
  takesJson ? (values[JSON_BODY] ?? '').trim() : undefined;

const valueOf = ({ name }: Parameter, values: FormValues): string => (values[name] ?? '').trim();

const given = (operation: Operation, place: Parameter['in'], values: FormValues): [string, string][] =>
  operation.parameters
    .filter((parameter) => parameter.in === place && valueOf(parameter, values) !== '')
    .map((parameter) => [parameter.name, valueOf(parameter, values)]);

const urlOf = (operation: Operation, values: FormValues): string => {
  const path = given(operation, 'path', values).reduce(
    (url, [name, value]) => url.replace(`{${name}}`, () => encodeURIComponent(value)),
    operation.path,
  );
  const query = given(operation, 'query', values).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
};

/**
 * Builds the request of a form. Only filled fields are sent, so that the service applies its own defaults.
 *
 * @param token sent as a bearer token unless empty
 */
export const buildRequest = (
  operation: Operation,
  values: FormValues,
  { files = [], token = '' }: { readonly files?: readonly File[]; readonly token?: string } = {},
): ClientRequest<File> => {
  const json = jsonOf(operation, values);
  return {
    method: operation.method,
    url: urlOf(operation, values),
    headers: {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(
        given(operation, 'header', values).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      ...(token.trim() === '' ? {} : { authorization: `Bearer ${token.trim()}` }),
    },
    ...(files.length > 0 ? { files } : {}),
    ...(json === undefined ? {} : { body: new TextEncoder().encode(json) }),
  };
};

/** Required fields that are still empty. */
export const missingIn = (operation: Operation, values: FormValues, files: readonly File[]): string[] => [
  ...(operation.filePart !== undefined && files.length === 0 ? [operation.filePart.name] : []),
  ...(jsonOf(operation, values) === '' ? [JSON_BODY] : []),
  ...operation.parameters
    .filter((parameter) => parameter.required && valueOf(parameter, values) === '')
    .map(({ name }) => name),
];
