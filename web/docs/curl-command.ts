import type { ClientRequest } from '#shared/api/client';

/** For a POSIX shell: nothing inside single quotes means anything but a single quote itself. */
export const shellQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** In a form's value curl reads `;` and `,` as its own unless the name is quoted. */
const formFile = (part: string, { name, type }: Pick<File, 'name' | 'type'>): string => {
  const quotedName = name.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `${part}=@"${quotedName}"${type === '' ? '' : `;type=${type}`}`;
};

/** What a request says about the file that it will carry. */
export interface CurlFile {
  readonly part: string;
  readonly file: Pick<File, 'name' | 'type'>;
}

/**
 * The command that sends the same request.
 *
 * @param base address of the service, without a trailing slash
 * @param options `saveAs`: a file name, for answers that no terminal shows
 */
export const curlCommand = (
  { method, url, headers }: Pick<ClientRequest<File>, 'method' | 'url' | 'headers'>,
  base: string,
  { upload, saveAs }: { readonly upload?: CurlFile | undefined; readonly saveAs?: string | undefined } = {},
): string => {
  const isImplied = method === (upload ? 'POST' : 'GET');
  const parts = [
    ...(isImplied ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(upload ? [`-F ${shellQuoted(formFile(upload.part, upload.file))}`] : []),
    ...(saveAs === undefined ? [] : [`-o ${shellQuoted(saveAs)}`]),
    shellQuoted(base + url),
  ];
  return parts.length > 2 ? `curl ${parts.join(' \\\n  ')}` : `curl ${parts.join(' ')}`;
};
