import type { ClientRequest } from '#shared/api/client';

/** Quotes for a POSIX shell: inside single quotes only a single quote is special. */
export const shellQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** curl interprets `;` and `,` in a form value unless the name is quoted. */
const formFile = (part: string, { name, type }: Pick<File, 'name' | 'type'>): string => {
  const quotedName = name.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `${part}=@"${quotedName}"${type === '' ? '' : `;type=${type}`}`;
};

/** The file parts of a request, which have one name. */
export interface CurlFiles {
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
