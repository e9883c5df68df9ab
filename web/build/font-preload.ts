import type { Plugin } from 'vite';

/** Of the letters that every screen shows. */
const FIRST_FONTS = /\/roboto-latin-\d+-normal-[^/]*\.woff2$/;

/** Has browsers load the typeface together with the script, which waits for it before anything is painted. */
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
