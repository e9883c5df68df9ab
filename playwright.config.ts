import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/run/launch-options';
import { PLAYWRIGHT_REPORT } from './e2e/run/reports';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: ['./e2e/support/check-chromium.ts', './e2e/support/shared-server.ts'],
  outputDir: 'test-results/playwright',
  // The same on every system: see `e2e/support/looks.ts`.
  snapshotPathTemplate: '{testDir}/looks/{arg}{ext}',
  // Two cores, and each picture keeps both busy.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: PLAYWRIGHT_REPORT }], ['./e2e/support/matrix-reporter.ts']],
  use: {
    // Set by `shared-server.ts` before workers read this file.
    baseURL: process.env['VEIL_E2E_ORIGIN'],
    trace: 'retain-on-failure',
    launchOptions: launchOptions(),
  },
});
