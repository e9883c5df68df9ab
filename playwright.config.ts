import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/run/launch-options';
import { PLAYWRIGHT_REPORT } from './e2e/run/reports';

/** Tests of the page for which it does not matter what is found: they run with models of a kilobyte. */
const WITHOUT_DETECTION = [
  'accessibility',
  'bad-input',
  'bag-in-page',
  'clients',
  'conformance',
  'converted-video',
  'docs',
  'durability',
  'examples',
  'phone-conformance',
  'library',
  'mixed-folder',
  'office',
  'own-models',
  'panorama-choice',
  'panorama-video',
  'persistence',
  'robust',
  'review',
  'review-command',
  'uncertain',
  'server-use',
  'release',
  'static-hosting',
  'first-load',
  'image-formats',
  'kept-in-video',
  'openapi-properties',
  'privacy',
  'recommended-models',
  'offline',
  'video-audio',
  'video-edits',
  'views',
  'views-in-german',
].map((name) => `**/${name}.spec.ts`);

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: ['./e2e/support/check-chromium.ts', './e2e/support/shared-server.ts'],
  outputDir: 'test-results/playwright',
  // The same on every system: see `e2e/support/screenshots.ts`.
  snapshotPathTemplate: '{testDir}/looks/{arg}{ext}',
  // One more than cores, because pages also wait: for a closed tab, a download, an animation.
  workers: 3,
  // For hangs alone: a slow and busy machine takes several times the usual.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: [
    ['list'],
    ['json', { outputFile: PLAYWRIGHT_REPORT }],
    ['./e2e/support/matrix-reporter.ts'],
    ['./e2e/run/running-tests.ts'],
  ],
  projects: [
    {
      name: 'default models',
      // These need a registry: `npm run test:package` and `test:clients`.
      testIgnore: [...WITHOUT_DETECTION, '**/{packaging,python-tools}/**'],
      // Two cores, and each image keeps both busy; some cases find the server busy.
      workers: 1,
      // Set by `shared-server.ts` before workers read this file.
      use: { baseURL: process.env['VEIL_E2E_ORIGIN'] },
    },
    {
      name: 'tiny models',
      testMatch: WITHOUT_DETECTION,
      use: { baseURL: process.env['VEIL_E2E_TINY_ORIGIN'] },
    },
  ],
  use: {
    // A list of actions alone: films cost the machine a third of its time, and copies of the document a fifth. For one
    // test: `npx playwright test <file> --trace=on`.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    launchOptions: launchOptions(),
  },
});
