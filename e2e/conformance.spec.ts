import { CONFORMANCE_CASES } from '#shared/testing/conformance-cases';
import { test } from './support/hosts';

// The server's half needs no browser: `conformance.test.ts`.
for (const { rule, host, run } of CONFORMANCE_CASES) {
  // A page is started in one way only.
  if (!host) test(rule, ({ sendTo }) => run(sendTo.page));
}
