import { checkOperation, OPERATIONS } from '#shared/testing/api-properties';
import { test } from './support/hosts';

/** Fewer than in process: many of these calls have a picture processed. */
const RUNS = 100;

test.describe('whatever the server is sent over HTTP, the answer is one that the description tells of', () => {
  for (const operation of OPERATIONS) {
    test(`${operation.method} ${operation.path}`, async ({ sendTo }) => {
      await checkOperation(operation, sendTo.server, RUNS);
    });
  }
});
