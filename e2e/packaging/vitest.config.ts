import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Needs the package registry and several minutes, so it is not part of `npm test`: `npm run test:package`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['e2e/packaging/**/*.spec.ts'],
    environment: 'node',
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
