import { createHmac } from 'node:crypto';
import type { WebhookSigner } from '#shared/ports/webhook-sender';

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
