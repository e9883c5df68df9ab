import { join } from 'node:path';
import { defineConfig } from 'vite';

const ROOT = join(import.meta.dirname, '..');

/** Bundles the server's own sources; packages stay in node_modules, as some of them are native. */
export default defineConfig({
  root: ROOT,
  publicDir: false,
  ssr: {
    external: true,
    // Parts of it that adding a model takes; its package has 23 MB, and runs a script when it is installed.
    noExternal: [/^onnx-proto/, /^protobufjs/, /^@protobufjs\//],
    target: 'node',
  },
  build: {
    ssr: true,
    outDir: join(ROOT, 'dist/server'),
    emptyOutDir: true,
    target: 'node20',
    rollupOptions: {
      input: {
        main: join(ROOT, 'server/main.ts'),
        'workers/inference-worker': join(ROOT, 'server/workers/inference-worker.ts'),
        'workers/engine-worker': join(ROOT, 'server/workers/engine-worker.ts'),
      },
    },
  },
});
