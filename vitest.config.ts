import { defineConfig } from 'vitest/config';

/**
 * Tests that leave nothing behind in their process. Threads of models do: `engine` and `inference-lanes`. Loading modules
 * anew does, too: `run-models`, after which one class exists twice.
 */
const TOGETHER = [
  '{server/{audit,batch,build,cli,http,notices,packaging,review},e2e/{bench,run}}/**/*.test.{ts,tsx}',
  'models/{build,eval}/**/*.test.ts',
  'models/packs/**/!(run-models).test.ts',
  'server/adapters/!(engine|inference-lanes).test.ts',
];

export default defineConfig({
  test: {
    // Those in a browser: `vitest.browser.config.ts`.
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.tsx'],
    environment: 'node',
    projects: [
      {
        extends: true,
        test: {
          name: 'without a host',
          include: ['{shared,web}/**/*.test.{ts,tsx}'],
          // Their modules are loaded once for all files, which halves the time; none keeps state that another sees.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'in Node, together',
          include: TOGETHER,
          // As above: 201 processor seconds for 125 files instead of 299. Not threads, because some tests set variables.
          pool: 'forks',
          isolate: false,
          globalSetup: 'server/testing/made-once.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'in Node',
          include: ['{server,models,e2e}/**/*.test.{ts,tsx}'],
          exclude: TOGETHER,
          // A process for each file: onnxruntime-node keeps its threads until its process ends.
          pool: 'forks',
          // The built server, and what else is made once.
          globalSetup: 'server/testing/made-once.ts',
        },
      },
    ],
    tags: [{ name: 'slow', description: 'rare cases, and kills by the dozen: only in `npm run test:full`' }],
    // More than cores, because many tests wait: for processes that start, die or are killed.
    maxWorkers: 4,
    // For hangs alone: a picture through all models, several times over, on a machine that is slow and busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Before onnxruntime reads it: see server/adapters/no-telemetry.ts.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    unstubGlobals: true,
    restoreMocks: true,
  },
});
