import type { WebhookOutcome } from '../domain/webhook';
import type { Timer } from './timer';

/** One HTTP POST. */
export interface WebhookCall {
  /** `http` or `https`, as checked at upload. */
  readonly url: string;
  /** Names as they are sent; a value may be a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON */
  readonly body: string;
}

/** Calls addresses that clients chose, and only those that they may choose. */
export interface WebhookSender {
  /** False where the URL names an address that may not be called. Host names are judged when they are resolved. */
  mayCall(url: string): boolean;
  /** Calls once. Never rejects; of the answer only the status and `Retry-After` are read. */
  post(call: WebhookCall): Promise<WebhookOutcome>;
}

/** Proves to receivers that a call is ours. */
export interface WebhookSigner {
  /** HMAC-SHA256 of the text's UTF-8 bytes, as base64. */
  sign(text: string): string;
}

/** What webhooks need of a host; a host that must not send anything out has none of it. */
export interface WebhookPorts {
  readonly sender: WebhookSender;
  /** Null: calls are not signed. */
  readonly signer: WebhookSigner | null;
  readonly timer: Timer;
  /** Uniformly distributed, 0 to 1. */
  readonly random: () => number;
}
