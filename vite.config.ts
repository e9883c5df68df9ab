import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { assembledKernels } from './server/build/assembled-kernels';
import { bundledPackages } from './server/notices/bundled-packages';
import { PAGE_HEADERS } from './shared/domain/page-policy';
import { classColours, withoutDescriptions } from './web/build/catalogue-plugins';
import { helpPage } from './web/build/help-page';
import { fontPreload, precompress, pixelIcons } from './web/build/page-files';
import { markdownSections } from './web/build/markdown-sections';
import { models } from './web/build/models';
import { fasterRuntime } from './web/build/runtime/plugin';
import { serviceWorker } from './web/build/service-worker';

/** All but the policy: while developing, the page is put together from inline scripts. */
const { 'content-security-policy': _policy, ...DEVELOPMENT_HEADERS } = PAGE_HEADERS;

const bundled = bundledPackages(join(import.meta.dirname, 'server/notices/page-packages.json'));

/** Modules of the first load that the page shares with the API reference, or with parts that are loaded later. */
const SHARED_MODULES =
  /node_modules.(react|react-dom|scheduler).|app.(ui.(icons|lucide|notice|button)|messages.format)\.|state.(edit-history|media-item|settings|store|video-edits)\.|schemas-upload\.|catalogue.(classes|methods|parameters|derive-parameters)\.|http.(filename|http)\.|domain.failure\.|service-unavailable\.|preload-helper/;

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  base: './',
  plugins: [
    react(),
    assembledKernels(),
    fasterRuntime(),
    models(join(import.meta.dirname, 'models')),
    markdownSections(),
    helpPage(),
    withoutDescriptions(),
    pixelIcons(),
    classColours(),
    fontPreload(),
    serviceWorker(),
    precompress(),
    bundled.plugin(),
    bundled.check(),
  ],
  resolve: { alias: { 'tough-cookie': join(import.meta.dirname, 'web/build/no-cookies.ts') } },
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // No inline scripts or styles, so that the strictest content security policy holds.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'docs.html', 'help.html', 'help.de.html'].map((page) =>
        join(import.meta.dirname, 'web', page),
      ),
      output: {
        // As a chunk for each set of pages and parts that share it, this would be many files, and compressed worse.
        codeSplitting: {
          groups: [
            { name: 'common', test: SHARED_MODULES },
            // Shared with the editor of videos, which is loaded later.
            {
              name: 'editor',
              tags: ['$initial'],
              test: /web.(app.(boxes|review.undoing|stage.use-size|ui.use-keys)|state.(for-all|fetched-results|wanted-edits))/,
            },
            // Not loaded by the API reference, unless it sends a request to the tab.
            {
              name: 'host',
              tags: ['$initial'],
              test: /shared.(api|domain|engine|report|tasks|threads).*\.ts$/,
            },
          ],
        },
      },
    },
  },
  worker: {
    format: 'es',
    plugins: () => [assembledKernels(), fasterRuntime(), bundled.plugin(), withoutDescriptions()],
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /shared.catalogue/, sideEffects: false }] },
      output: { codeSplitting: { groups: [{ name: 'engine', tags: ['$initial'] }] } },
    },
  },
  optimizeDeps: { exclude: ['onnxruntime-web', '@ffmpeg/ffmpeg'] },
  server: { headers: DEVELOPMENT_HEADERS },
  preview: { headers: PAGE_HEADERS },
});
