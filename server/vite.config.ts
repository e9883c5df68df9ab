import { join } from 'node:path';
import { defineConfig } from 'vite';
import { assembledKernels } from './build/assembled-kernels';
import { onlyInstalledPackages } from './build/only-installed-packages';
import { onnxruntimeLibrary } from './build/onnxruntime-library';
import { bundledPackages } from './notices/bundled-packages';

const ROOT = join(import.meta.dirname, '..');

/**
 * Packages that are bundled into the server; all others are installed with it.
 *
 * Bundled are packages of pure JavaScript of which little is used (mediabunny and typebox: 18 MB installed, 0.6 MB
 * here), and onnxruntime-node, whose installation downloads unused files.
 */
const BUNDLED = [
  'comlink',
  'fflate',
  'mediabunny',
  'onnxruntime-common',
  'onnxruntime-node',
  'pbf',
  'typebox',
  'yaml',
  // With its dependencies: the SDK of S3 has 21 MB, the metrics 5 MB, and 2 MB of them are used.
  /^@(aws|aws-sdk|smithy)\//,
  /^(prom-client|tdigest|bintrees)$/,
  /^@opentelemetry\/api/,
  // With its dependencies: the queue has 14 MB, 1.6 MB here.
  /^(bullmq|cron-parser|luxon|msgpackr|node-abort-controller|semver|tslib)$/,
];

/** A file of its own, which only a server with a bucket loads. */
const S3_SDK = /node_modules\/@(aws|aws-sdk|smithy)\//;

/** With the packages that only it needs. A file of its own, which only a server with a queue loads. */
const QUEUE = /node_modules\/bullmq\//;

const bundled = bundledPackages(join(ROOT, 'server/notices/server-packages.json'));

/** Bundles the server's own sources. */
export default defineConfig({
  root: ROOT,
  publicDir: false,
  plugins: [
    assembledKernels(),
    onlyInstalledPackages(join(ROOT, 'package.json')),
    onnxruntimeLibrary(),
    bundled.plugin(),
    bundled.check(),
  ],
  // Its entry for Node asks for a native library, which is not installed and would only decode faster: BullMQ encodes.
  resolve: { alias: { msgpackr: join(ROOT, 'node_modules/msgpackr/index.js') } },
  ssr: { external: true, noExternal: BUNDLED, target: 'node' },
  build: {
    ssr: true,
    outDir: join(ROOT, 'dist/server'),
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: {
      input: {
        main: join(ROOT, 'server/main.ts'),
        'engine/engine-main': join(ROOT, 'server/engine/engine-main.ts'),
        'workers/inference-worker': join(ROOT, 'server/workers/inference-worker.ts'),
        'workers/engine-worker': join(ROOT, 'server/workers/engine-worker.ts'),
      },
      output: {
        codeSplitting: {
          groups: [
            // Always one folder below the server's, because it loads its library by a relative path.
            { name: 'onnxruntime', test: /node_modules\/onnxruntime-/ },
            { name: 's3-sdk', test: S3_SDK },
            { name: 'queue', test: QUEUE },
          ],
        },
      },
    },
  },
});
