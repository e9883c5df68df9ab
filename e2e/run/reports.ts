/** Paths of the reports of test runners. All are outside Playwright's output folder, which it empties at its start. */
export const VITEST_REPORT = 'test-results/vitest.json';
export const COMPONENTS_REPORT = 'test-results/components.json';
export const PLAYWRIGHT_REPORT = 'test-results/playwright.json';

/** Names of the tests that are running: see `running-tests.ts`. */
export const RUNNING_TESTS = 'test-results/running-tests.txt';

/** Folder with the logs of servers that tests or benchmarks started. */
export const SERVER_LOGS = 'test-results/servers';

/** The built product with tiny models, created by tests. */
export const TINY_PRODUCT = 'test-results/tiny-product';
