import { join } from 'node:path';
import { defineConfig } from 'vite';
import { onlyInstalledPackages } from './build/only-installed-packages';
import { onnxruntimeLibrary } from './build/onnxruntime-library';
import { bundledPackages } from './notices/bundled-packages';

const ROOT = join(import.meta.dirname, '..');

/**
 * Packages that become part of the server's own files; all others are installed with it.
 *
 * JavaScript alone, of which little is used (mediabunny and typebox: 18 MB installed, 0.6 MB here), and onnxruntime-node,
 * whose installation downloads what is never used.
 */
const BUNDLED = [
  'fflate',
  'mediabunny',
  'onnxruntime-common',
  'onnxruntime-node',
  'typebox',
  // Parts that adding a model needs; the package has 23 MB and an install script.
  /^onnx-proto/,
  /^protobufjs/,
  /^@protobufjs\//,
];

const bundled = bundledPackages(join(ROOT, 'server/notices/server-packages.json'));

/** Bundles the server's own sources. */
export default defineConfig({
  root: ROOT,
  publicDir: false,
  plugins: [
    onlyInstalledPackages(join(ROOT, 'package.json')),
    onnxruntimeLibrary(),
    bundled.plugin(),
    bundled.check(),
  ],
  ssr: { external: true, noExternal: BUNDLED, target: 'node' },
  build: {
    ssr: true,
    outDir: join(ROOT, 'dist/server'),
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: {
      input: {
        main: join(ROOT, 'server/main.ts'),
        'workers/inference-worker': join(ROOT, 'server/workers/inference-worker.ts'),
        'workers/engine-worker': join(ROOT, 'server/workers/engine-worker.ts'),
      },
      output: {
        // Always one folder below the server's, from where it looks for its library.
        codeSplitting: { groups: [{ name: 'onnxruntime', test: /node_modules\/onnxruntime-/ }] },
      },
    },
  },
});
