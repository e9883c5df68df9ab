/** Where test runners leave their counts; all beside Playwright's own output folder, which it empties when it starts. */
export const VITEST_REPORT = 'test-results/vitest.json';
export const COMPONENTS_REPORT = 'test-results/components.json';
export const PLAYWRIGHT_REPORT = 'test-results/playwright.json';

/** Folder with a log of each server that tests or benchmarks started. */
export const SERVER_LOGS = 'test-results/servers';

/** The built product with tiny models, which tests make. */
export const TINY_PRODUCT = 'test-results/tiny-product';
