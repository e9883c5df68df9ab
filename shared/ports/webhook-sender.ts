/** One HTTP POST. */
export interface WebhookCall {
  /** `http` or `https`, as checked at upload. */
  readonly url: string;
  /** Names as they are sent; a value may be a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON */
  readonly body: string;
}

/** What became of a call. Redirects are answers like any other: they are not followed. */
export type WebhookOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** How long the receiver asks to be left alone (`Retry-After`). */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'unreachable' }
  /** The name led to an address that may not be called. */
  | { readonly kind: 'refused' };

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
