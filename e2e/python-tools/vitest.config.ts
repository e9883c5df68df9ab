import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Needs PyPI and two minutes, so it is not part of `npm test`: `npm run test:clients`, after a build. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['e2e/python-tools/*.spec.ts'],
    environment: 'node',
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
  },
});
