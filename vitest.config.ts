import { defineConfig } from 'vitest/config';
import { SLOW_TAG } from './e2e/run/slow-tag';

/**
 * Tests that leave something behind in their process: threads of models, which onnxruntime-node keeps until it ends,
 * modules that were loaded anew, so that one class exists twice, or the codec that reads clips. A test that imports others
 * registers nothing where these have been loaded before.
 */
const ALONE = [
  'server/adapters/{engine,inference-workers,ffmpeg-video-codec}.test.ts',
  'models/packs/run-models.test.ts',
];

const REAL_TIMERS = 'e2e/run/real-timers.ts';

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
          setupFiles: REAL_TIMERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'in Node, together',
          include: ['{server,models,e2e}/**/*.test.{ts,tsx}'],
          exclude: ALONE,
          // As above: 63 processor seconds for 38 files instead of 89. Not threads, because some tests set variables.
          pool: 'forks',
          isolate: false,
          setupFiles: [REAL_TIMERS, 'server/testing/exit-on-sigterm.ts'],
          // The built server, and what else is made once.
          globalSetup: 'server/testing/made-once.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'in Node, alone',
          include: ALONE,
          pool: 'forks',
          setupFiles: 'server/testing/exit-on-sigterm.ts',
          globalSetup: 'server/testing/made-once.ts',
        },
      },
    ],
    tags: [SLOW_TAG],
    // More than cores, because many tests wait: for processes that start, die or are killed.
    maxWorkers: 4,
    // For hangs alone: an image through all models, several times over, on a machine that is slow and busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The default of a second is too short for a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Before onnxruntime reads it: see server/adapters/no-telemetry.ts.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    unstubGlobals: true,
    restoreMocks: true,
  },
});
