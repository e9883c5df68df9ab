import { CONFORMANCE_CASES } from '#shared/testing/conformance-cases';
import { test } from './support/hosts';

// The server's half needs no browser: `conformance.test.ts`.
for (const { rule, host, run } of CONFORMANCE_CASES) {
  // The page has no start-up options, so cases that need other settings run only on the server.
  if (!host) test(rule, ({ sendTo }) => run(sendTo.page));
}
