import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { launchOptions } from './e2e/run/launch-options';
import { SLOW_TAG } from './e2e/run/slow-tag';
import { assembledKernels } from './server/build/assembled-kernels';
import { classColours } from './web/build/catalogue-plugins';
import { fasterRuntime } from './web/build/runtime/plugin';

const options = launchOptions();

/** Parts of the page, each alone in a real browser: what pointers, keys and scrolling do to them. */
export default defineConfig({
  plugins: [react(), assembledKernels(), fasterRuntime(), classColours()],
  // Found while tests run, they would be loaded anew in the middle of one.
  optimizeDeps: {
    exclude: ['onnxruntime-web'],
    include: [
      'mediabunny',
      'pbf',
      'react',
      'react-dom/client',
      'typebox',
      'typebox/value',
      'vitest-browser-react',
    ],
  },
  // Apart from what `vite` keeps there: both may run at once.
  cacheDir: 'node_modules/.cache/vitest-browser',
  test: {
    include: ['web/**/*.browser.test.tsx'],
    globalSetup: 'e2e/support/check-chromium.ts',
    tags: [SLOW_TAG],
    restoreMocks: true,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 800, height: 700 },
      // Emulated where there is no GPU.
      provider: playwright({
        launchOptions: { ...options, args: [...options.args, '--enable-unsafe-webgpu'] },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
