import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { followRedirection } from './address';
import { Refusal, Unreachable } from './refusal';

const MAX_REDIRECTIONS = 5;
/** Time without data after which the connection is closed. */
const IDLE_MS = 60_000;
const FOUND = 200;
const PARTIAL = 206;
const RANGE_BEYOND_END = 416;
const isRedirection = (status: number): boolean => status >= 300 && status < 400;

export interface Answer {
  /** Position of the body in the file: the requested offset, or 0 if the server does not support ranges. */
  readonly offset: number;
  /** Undefined if the server does not state it. */
  readonly length: number | undefined;
  readonly body: Dispatcher.ResponseData['body'];
}

/** Uses `https_proxy`, `http_proxy` and `no_proxy`, in lower or upper case, like other programs. */
const openAgent = (): Dispatcher => new EnvHttpProxyAgent({ headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS });

const send = async (url: URL, from: number, dispatcher: Dispatcher): Promise<Dispatcher.ResponseData> => {
  try {
    return await request(url, {
      dispatcher,
      headers: {
        'user-agent': 'veil',
        'accept-encoding': 'identity',
        ...(from > 0 && { range: `bytes=${from}-` }),
      },
    });
  } catch (cause) {
    throw new Unreachable(`${url.host} cannot be reached (${reasonOf(cause)}).`, { cause });
  }
};

export const reasonOf = (cause: unknown): string => {
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  return code ?? message ?? 'unknown reason';
};

/** Requests a file from the offset `from` on, passes the response to `use`, and then closes the connection. */
export const fetchFrom = async <T>(
  address: URL,
  from: number,
  use: (answer: Answer | 'nothing-left') => Promise<T>,
): Promise<T> => {
  const dispatcher = openAgent();
  try {
    let url = address;
    for (let hop = 0; hop <= MAX_REDIRECTIONS; hop++) {
      const { statusCode, headers, body } = await send(url, from, dispatcher);
      const location = headers['location'];
      if (isRedirection(statusCode) && typeof location === 'string') {
        body.on('error', () => undefined).destroy();
        url = followRedirection(url, location);
        continue;
      }
      if (statusCode === RANGE_BEYOND_END && from > 0) return await use('nothing-left');
      if (statusCode !== FOUND && statusCode !== PARTIAL) {
        throw new Refusal(`${url.host} responded with status ${statusCode} instead of the file.`);
      }
      const length = Number(headers['content-length'] ?? Number.NaN);
      return await use({
        offset: statusCode === PARTIAL ? startOf(headers['content-range'], from) : 0,
        length: Number.isFinite(length) ? length : undefined,
        body,
      });
    }
    throw new Refusal(`${address.host} redirects more than ${MAX_REDIRECTIONS} times.`);
  } finally {
    await dispatcher.destroy();
  }
};

const startOf = (contentRange: string | string[] | undefined, asked: number): number => {
  const start = /^bytes (\d+)-/.exec(String(contentRange))?.[1];
  if (start === undefined || Number(start) !== asked) {
    throw new Refusal('The server sent another part of the file than the requested one.');
  }
  return asked;
};
