import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import pLimit from 'p-limit';
import type { Timer } from '#shared/ports/system';
import type { WebhookCall, WebhookSender, WebhookSigner } from '#shared/ports/webhooks';
import type { WebhookOutcome } from '#shared/domain/webhook';
import { parseRetryAfter } from '#shared/tasks/webhook/webhook-backoff';
import type { AddressGuard } from './address-guard';
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** @see https://www.standardwebhooks.com */
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64];

/** The form of a secret, for error messages. */
export const WEBHOOK_SECRET_FORM = `${PREFIX} and the base64 of ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes`;

/** The key of a secret in the form of Standard Webhooks; undefined if it has another form. */
export const webhookKey = (secret: string): Uint8Array | undefined => {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  if (!BASE64.test(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES ? key : undefined;
};

export const createWebhookSigner = (key: Uint8Array): WebhookSigner => ({
  sign: (text) => createHmac('sha256', key).update(text, 'utf8').digest('base64'),
});

/** Resolves a host name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface WebhookSenderParts {
  readonly guard: AddressGuard;
  readonly timer: Timer;
  readonly resolve?: Resolve;
}

/** Time limit from the lookup of the name to the end of the answer. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_HEADER_BYTES = 16 * 1024;
/** A body up to this size is read and discarded, so that receivers see no connection reset. */
const MAX_ANSWER_BODY_BYTES = 64 * 1024;
/** Lookups block threads of Node's pool, which files need too. There are four; lookups may not take all of them. */
const CONCURRENT_LOOKUPS = 2;

/** The system's resolver, which also reads the hosts file. */
const createResolver = (): Resolve => {
  const lookups = pLimit(CONCURRENT_LOOKUPS);
  return (hostname) => lookups(() => lookup(hostname, { all: true }));
};

/** The host of a URL, without the brackets of an IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** A lookup function for the connection that returns only the checked addresses. */
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
    // The status is already known; an error in the rest of the answer does not matter.
    .on('error', () => undefined);
};

/** Resolves after the connection is closed. Rejects if it closed without an answer. */
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
      // A new connection: a kept one would lead to the address of an earlier lookup.
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
      // The error does not matter, because the connection closes next.
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
 * Calls receivers, and keeps clients from reaching the server's own network through it.
 *
 * The name is resolved once. All of its addresses must be allowed, and the connection goes to one of them, so that a
 * name cannot change its address between check and call (DNS rebinding). `Host` and TLS use the name. Redirects are not
 * followed, proxies are not used, and only the status and `Retry-After` of the response are read.
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
      const cancelTimeout = timer.after(TIMEOUT_MS, () => abort.abort());
      try {
        return await attempt(call, abort.signal);
      } catch {
        return { kind: abort.signal.aborted ? 'timed-out' : 'unreachable' };
      } finally {
        cancelTimeout();
      }
    },
  };
};
