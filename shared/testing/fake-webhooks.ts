import type { Timer } from '../ports/system';
import type { WebhookCall, WebhookPorts } from '../ports/webhooks';
import type { WebhookOutcome } from '../domain/webhook';

export interface FakeTimer extends Timer {
  /** Delays of the running timers in ms, shortest first. */
  readonly delays: () => number[];
  /** Fires the timer with the shortest delay. @returns its delay in ms; undefined if there is no timer */
  readonly elapse: () => number | undefined;
}

/** A timer that a test controls. */
export const createFakeTimer = (): FakeTimer => {
  const waiting = new Set<{ readonly delayMs: number; readonly work: () => void }>();
  const sorted = () => [...waiting].sort((a, b) => a.delayMs - b.delayMs);
  return {
    after: (delayMs, work) => {
      const wait = { delayMs, work };
      waiting.add(wait);
      return () => void waiting.delete(wait);
    },
    delays: () => sorted().map(({ delayMs }) => delayMs),
    elapse: () => {
      const [next] = sorted();
      if (!next) return undefined;
      waiting.delete(next);
      next.work();
      return next.delayMs;
    },
  };
};

export interface FakeWebhooks extends WebhookPorts {
  readonly timer: FakeTimer;
  readonly calls: readonly WebhookCall[];
}

/** Webhooks whose calls have the given outcomes in order; the last one is repeated. */
export const createFakeWebhooks = (...outcomes: readonly WebhookOutcome[]): FakeWebhooks => {
  const calls: WebhookCall[] = [];
  return {
    sender: {
      mayCall: (url) => !url.includes('10.0.0.1'),
      post: async (call) => {
        calls.push(call);
        return outcomes[Math.min(calls.length, outcomes.length) - 1] ?? { kind: 'answered', status: 204 };
      },
    },
    signer: { sign: (text) => `signed(${text})` },
    timer: createFakeTimer(),
    random: () => 0.5,
    calls,
  };
};
