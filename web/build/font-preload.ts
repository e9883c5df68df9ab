import type { Plugin } from 'vite';

/** Font files with the letters of every screen. */
const FIRST_FONTS = /\/roboto-latin-\d+-normal-[^/]*\.woff2$/;

/** Preloads the typeface together with the script, which waits for it before the first paint. */
export const fontPreload = (): Plugin => ({
  name: 'veil-font-preload',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => FIRST_FONTS.test(`/${file}`))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${file}` },
          injectTo: 'head',
        })),
  },
});
