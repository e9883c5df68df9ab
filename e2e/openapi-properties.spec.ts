import { checkOperation, OPERATIONS } from '#shared/testing/api-properties';
import { randomCases } from '#shared/testing/random-cases';
import { test } from './support/own-server';

/** Fewer calls than in the test of the same answers without HTTP, because many of these process an image. */
const RUNS = randomCases(100, 8);

test.describe('every response over HTTP is described in the OpenAPI document', () => {
  for (const operation of OPERATIONS) {
    test(`${operation.method} ${operation.path}`, async ({ sendTo }) => {
      await checkOperation(operation, sendTo.server, RUNS);
    });
  }
});
