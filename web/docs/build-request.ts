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

/** Quotes for a POSIX shell: inside single quotes only a single quote is special. */
export const shellQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** curl interprets `;` and `,` in a form value unless the name is quoted. */
const formFile = (part: string, { name, type }: Pick<File, 'name' | 'type'>): string => {
  const quotedName = name.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `${part}=@"${quotedName}"${type === '' ? '' : `;type=${type}`}`;
};

/** The file parts of a request, which have one name. */
interface CurlFiles {
  readonly part: string;
  readonly files: readonly Pick<File, 'name' | 'type'>[];
}

/**
 * Returns the curl command for the same request.
 *
 * @param base URL of the service, without a trailing slash
 * @param options `saveAs`: file name for responses that a terminal cannot show
 */
export const curlCommand = (
  { method, url, headers, body }: Pick<ClientRequest<File>, 'method' | 'url' | 'headers' | 'body'>,
  base: string,
  { upload, saveAs }: { readonly upload?: CurlFiles | undefined; readonly saveAs?: string | undefined } = {},
): string => {
  const isImplied = method === (upload ? 'POST' : 'GET');
  const parts = [
    ...(isImplied ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${shellQuoted(new TextDecoder().decode(body))}`] : []),
    ...(upload ? upload.files.map((file) => `-F ${shellQuoted(formFile(upload.part, file))}`) : []),
    ...(saveAs === undefined ? [] : [`-o ${shellQuoted(saveAs)}`]),
    shellQuoted(base + url),
  ];
  return parts.length > 2 ? `curl ${parts.join(' \\\n  ')}` : `curl ${parts.join(' ')}`;
};
