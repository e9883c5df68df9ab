import { describe, expect, test } from 'vitest';
import { checkOperation, OPERATIONS } from '../testing/api-properties';
import { createInProcessHost } from '../testing/in-process-host';
import { randomCases } from '../testing/random-cases';

const RUNS = randomCases(400);

describe('every response is documented in the OpenAPI description', () => {
  test.each(OPERATIONS)('$method $path', async (operation) => {
    const { send, log, received } = createInProcessHost();
    await checkOperation(operation, send, RUNS);
    expect(log.causes).toEqual([]);
    await expect.poll(() => received.filter((file) => file.isHeld())).toEqual([]);
  });
});
