import type { WebhookOutcome } from '../domain/webhook';
import type { Timer } from './system';

/** One POST request to a receiver. */
export interface WebhookCall {
  /** `http` or `https`, as checked at upload. */
  readonly url: string;
  /** Header values by name; a value may be a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** Sends requests to addresses that clients chose, if these addresses are allowed. */
export interface WebhookSender {
  /** False if the URL contains an address that may not be called. Host names are checked when they are resolved. */
  mayCall(url: string): boolean;
  /** Sends one request. Never rejects. Only the status and `Retry-After` of the answer are read. */
  post(call: WebhookCall): Promise<WebhookOutcome>;
}

/** Signs calls, so that receivers can verify who sent them. */
export interface WebhookSigner {
  /** HMAC-SHA256 of the text's UTF-8 bytes, as base64. */
  sign(text: string): string;
}

/** What webhooks need from a host. Absent on hosts that must not send anything, such as the page. */
export interface WebhookPorts {
  readonly sender: WebhookSender;
  /** Null if calls are not signed. */
  readonly signer: WebhookSigner | null;
  readonly timer: Timer;
  /** A uniformly distributed number from 0 to 1. */
  readonly random: () => number;
}
