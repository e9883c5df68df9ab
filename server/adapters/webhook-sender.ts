import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import pLimit from 'p-limit';
import type { Timer } from '#shared/ports/timer';
import type { WebhookCall, WebhookSender } from '#shared/ports/webhook-sender';
import type { WebhookOutcome } from '#shared/domain/webhook';
import { parseRetryAfter } from '#shared/tasks/webhook/webhook-backoff';
import type { AddressGuard } from './address-guard';

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface WebhookSenderParts {
  readonly guard: AddressGuard;
  readonly timer: Timer;
  readonly resolve?: Resolve;
}

/** From the look-up of the name to the end of the answer. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_HEADER_BYTES = 16 * 1024;
/** Read so that receivers need not see a reset, and thrown away. */
const MAX_ANSWER_BODY_BYTES = 64 * 1024;
/** Look-ups block threads that files need as well: never all four of them. */
const CONCURRENT_LOOKUPS = 2;

/** The system's own resolver, so that names in its hosts file are found like anywhere else. */
const createResolver = (): Resolve => {
  const lookups = pLimit(CONCURRENT_LOOKUPS);
  return (hostname) => lookups(() => lookup(hostname, { all: true }));
};

/** URLs write IPv6 addresses in brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Answers the connection's question for an address with those that were checked, whatever the name says by now. */
const pinnedTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };

const discardBody = (answer: IncomingMessage): void => {
  let receivedBytes = 0;
  answer
    .on('data', ({ length }: Buffer) => {
      receivedBytes += length;
      if (receivedBytes > MAX_ANSWER_BODY_BYTES) answer.destroy();
    })
    // The status is known by now; how the rest of the answer fares changes nothing.
    .on('error', () => undefined);
};

/** @returns once the connection is closed; rejects where it was without an answer */
const send = (
  url: URL,
  { headers, body }: WebhookCall,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<WebhookOutcome> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    let answered: WebhookOutcome | undefined;
    request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: pinnedTo(addresses),
      // A connection of its own: a kept one would lead where an earlier look-up led.
      agent: false,
      maxHeaderSize: MAX_ANSWER_HEADER_BYTES,
      signal,
    })
      .on('response', (answer) => {
        const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], Date.now());
        answered = {
          kind: 'answered',
          status: answer.statusCode ?? 0,
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        };
        discardBody(answer);
      })
      // What it was does not matter; it is followed by a close.
      .on('error', () => undefined)
      .on('close', () => {
        if (!answered) reject(new Error('The connection closed without an answer.'));
        else resolve(answered);
      })
      .end(body);
  });

const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });

/**
 * Calls receivers without letting clients reach into the network that the server stands in.
 *
 * The name is resolved once; every address it has must be allowed, and the connection goes to one of these, so that
 * a name cannot point elsewhere between check and call (DNS rebinding). The name itself stays in `Host` and in TLS.
 * Redirects are not followed, proxies not used, and of the response only the status and `Retry-After` are read.
 */
export const createWebhookSender = ({
  guard,
  timer,
  resolve = createResolver(),
}: WebhookSenderParts): WebhookSender => {
  const attempt = async (call: WebhookCall, signal: AbortSignal): Promise<WebhookOutcome> => {
    const url = new URL(call.url);
    const host = hostOf(url);
    const family = isIP(host);
    const addresses = family ? [{ address: host, family }] : await unlessAborted(resolve(host), signal);
    if (!addresses.every(({ address }) => guard.allows(address))) return { kind: 'refused' };
    if (addresses.length === 0) return { kind: 'unreachable' };
    return send(url, call, addresses, signal);
  };
  return {
    mayCall: (url) => {
      const host = hostOf(new URL(url));
      return isIP(host) === 0 || guard.allows(host);
    },
    post: async (call) => {
      const abort = new AbortController();
      const callOff = timer.after(TIMEOUT_MS, () => abort.abort());
      try {
        return await attempt(call, abort.signal);
      } catch {
        return { kind: abort.signal.aborted ? 'timed-out' : 'unreachable' };
      } finally {
        callOff();
      }
    },
  };
};
