import type { SentPart, SentRequest } from './conformance';
import { concatBytes } from './image-bytes';

const BOUNDARY = 'conformance-boundary-7f3a';

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

const partBytes = ({ name, filename, contentType, bytes, headers = {} }: SentPart): Uint8Array => {
  const file = filename === null ? '' : `; filename="${filename}"`;
  const lines = [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${name}"${file}`,
    ...(filename === null ? [] : [`Content-Type: ${contentType}`]),
    ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
    '',
    '',
  ];
  return concatBytes(encoded(lines.join('\r\n')), bytes, encoded('\r\n'));
};

/** A request for HTTP, with `parts` encoded as a multipart body. */
export const asHttp = ({
  method,
  url,
  headers = {},
  parts,
  body,
}: SentRequest): {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
} => {
  if (!parts) return { method, url, headers, ...(body ? { body } : {}) };
  return {
    method,
    url,
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: concatBytes(...parts.map(partBytes), encoded(`--${BOUNDARY}--\r\n`)),
  };
};
