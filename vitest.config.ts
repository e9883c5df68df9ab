import { defineConfig } from 'vitest/config';

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
          name: 'in Node',
          include: ['{server,models,e2e}/**/*.test.{ts,tsx}'],
          // A process for each file: onnxruntime-node keeps its threads until its process ends.
          pool: 'forks',
        },
      },
    ],
    maxWorkers: 2,
    // A picture through all models on two busy cores, several times over.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Before onnxruntime reads it: see server/adapters/no-telemetry.ts.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    unstubGlobals: true,
    restoreMocks: true,
  },
});
