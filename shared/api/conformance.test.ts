import { describe, expect, test } from 'vitest';
import { CONFORMANCE_CASES } from '../testing/conformance-cases';
import { createFakeEngine } from '../testing/fake-engine';
import { createInProcessHost } from '../testing/in-process-host';

/** Long enough that what is queued behind it has not begun when the next request comes. */
const workFor = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

describe('conformance, in process', () => {
  test.each(CONFORMANCE_CASES)('$rule', async ({ run, host }) => {
    const { send, log, received } = createInProcessHost(host, { engine: createFakeEngine(workFor) });
    await run(send);
    expect(log.causes).toEqual([]);
    expect(received.filter((file) => file.isHeld())).toEqual([]);
  });

  test('no two cases have one name', () => {
    const rules = CONFORMANCE_CASES.map(({ rule }) => rule);
    expect(new Set(rules).size).toBe(rules.length);
  });
});
