import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{shared,server,web,models,e2e,packaging}/**/*.test.{ts,tsx}'],
    // Those in a browser: `vitest.browser.config.ts`.
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.tsx'],
    environment: 'node',
    // A process for each file: onnxruntime-node keeps its threads until its process ends.
    pool: 'forks',
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
