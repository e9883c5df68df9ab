import { cp, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { PAGE_HEADERS } from './shared/page-policy';
import { pixelIcons } from './web/build/icons';
import { serviceWorker } from './web/build/service-worker';

const MODELS = join(import.meta.dirname, 'models');
const isModelFile = (path: string): boolean => /(\.onnx|^manifest\.json)$/.test(basename(path));

/** All but the policy: while developing, the page is put together from inline scripts. */
const { 'content-security-policy': _policy, ...DEVELOPMENT_HEADERS } = PAGE_HEADERS;

/** Models lie beside the page: served from the repository while developing, copied when built. */
const serveModels = (): Plugin => ({
  name: 'veil-models',
  configureServer: (server) => {
    server.middlewares.use('/models', (request, response, next) => {
      const file = basename(new URL(request.url ?? '/', 'http://localhost').pathname);
      if (!isModelFile(file)) return next();
      readFile(join(MODELS, file)).then((bytes) => response.end(bytes), next);
    });
  },
  writeBundle: ({ dir }) =>
    cp(MODELS, join(dir ?? '', 'models'), {
      recursive: true,
      filter: (from) => from === MODELS || isModelFile(from),
    }),
});

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  base: './',
  plugins: [react(), serveModels(), pixelIcons(), serviceWorker()],
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // No inline scripts or styles, so that the strictest content security policy holds.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'docs.html'].map((page) => join(import.meta.dirname, 'web', page)),
    },
  },
  worker: { format: 'es' },
  optimizeDeps: { exclude: ['onnxruntime-web', '@ffmpeg/ffmpeg'] },
  server: { headers: DEVELOPMENT_HEADERS },
  preview: { headers: PAGE_HEADERS },
});
