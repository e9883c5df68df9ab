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
