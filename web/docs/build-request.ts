import type { ClientRequest } from '#shared/api/client';
import type { Operation, Parameter } from './openapi-document';

/** What somebody filled in: text by parameter name; an empty text is no value. */
export type FormValues = Readonly<Record<string, string>>;

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
 * The request of a filled in form: only what was filled in is sent, so that every default stays the service's own.
 *
 * @param token sent as a bearer token where it is not empty
 */
export const buildRequest = (
  operation: Operation,
  values: FormValues,
  { file, token = '' }: { readonly file?: File | undefined; readonly token?: string } = {},
): ClientRequest<File> => ({
  method: operation.method,
  url: urlOf(operation, values),
  headers: {
    ...Object.fromEntries(
      given(operation, 'header', values).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    ...(token.trim() === '' ? {} : { authorization: `Bearer ${token.trim()}` }),
  },
  ...(file ? { file } : {}),
});

/** What must still be filled in before a request can be sent at all. */
export const missingIn = (operation: Operation, values: FormValues, file: File | undefined): string[] => [
  ...(operation.filePart !== undefined && !file ? [operation.filePart] : []),
  ...operation.parameters
    .filter((parameter) => parameter.required && valueOf(parameter, values) === '')
    .map(({ name }) => name),
];
