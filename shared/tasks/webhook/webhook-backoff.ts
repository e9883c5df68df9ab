import type { WebhookOutcome } from '../../domain/webhook';

const FIRST_DELAY_MS = 5_000;
const GROWTH = 4;
/** First call included: the last one comes about 7½ hours after the first. */
export const MAX_ATTEMPTS = 8;
/** Share by which a delay may be shorter or longer. */
const JITTER = 0.2;

/** No delay is longer. */
export const LONGEST_DELAY_MS = FIRST_DELAY_MS * GROWTH ** (MAX_ATTEMPTS - 2) * (1 + JITTER);

/**
 * How long to wait after a failed call: 5 s, 20 s, 80 s and so on, each about four times the one before.
 *
 * Give or take a fifth, so that the many notifications that one outage of a receiver held up do not all come back in
 * the same moment.
 *
 * @param attempts calls made so far, 1 or more
 * @param random 0 to 1
 * @returns null where no call is left
 */
export const retryDelayMs = (attempts: number, random: number): number | null =>
  attempts >= MAX_ATTEMPTS
    ? null
    : Math.round(FIRST_DELAY_MS * GROWTH ** (attempts - 1) * (1 - JITTER + 2 * JITTER * random));

/** 429 Too Many Requests, 503 Service Unavailable: who says so may say for how long. */
const BUSY_STATUSES = [429, 503];
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * What a `Retry-After` header asks for: seconds, or a date.
 *
 * @returns undefined where there is none or it makes no sense
 * @see RFC 9110, section 10.2.3
 */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_DELAY_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(0, atMs - nowMs), LONGEST_DELAY_MS);
};

/** The delay of the table, or longer where a busy receiver asks for it: never sooner, whatever it says. */
export const applyRetryAfter = (delayMs: number, outcome: WebhookOutcome): number => {
  if (outcome.kind !== 'answered' || !BUSY_STATUSES.includes(outcome.status)) return delayMs;
  return Math.min(Math.max(delayMs, outcome.retryAfterMs ?? 0), LONGEST_DELAY_MS);
};
