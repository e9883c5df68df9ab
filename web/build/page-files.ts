import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import sharp from 'sharp';

interface IconSize {
  readonly path: string;
  readonly sizePx: number;
  /** Share of the side that the drawing covers; a system may cut off the rest. */
  readonly drawing: number;
}

/** Referenced by `public/manifest.webmanifest` and by the pages. */
const ICONS: readonly IconSize[] = [
  { path: 'icons/icon-192.png', sizePx: 192, drawing: 1 },
  { path: 'icons/icon-512.png', sizePx: 512, drawing: 1 },
  { path: 'icons/maskable-512.png', sizePx: 512, drawing: 0.8 },
  { path: 'icons/touch-180.png', sizePx: 180, drawing: 0.9 },
];
/** Background colour behind the drawing. */
const GROUND = '#0a6b51';

const draw = async (svg: Buffer, { sizePx, drawing }: IconSize): Promise<Buffer> => {
  const side = Math.round(sizePx * drawing);
  const margin = (sizePx - side) / 2;
  const edges = { top: Math.floor(margin), bottom: Math.ceil(margin) };
  const image = sharp(svg, { density: 72 * (side / 32) }).resize(side, side);
  if (drawing === 1) return image.png().toBuffer();
  return image
    .flatten({ background: GROUND })
    .extend({ ...edges, left: edges.top, right: edges.bottom, background: GROUND })
    .png()
    .toBuffer();
};

/** Renders the pixel icons from the SVG drawing during the build. */
export const pixelIcons = (): Plugin => ({
  name: 'veil-icons',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const svg = await readFile(join(dir, 'icon.svg'));
    for (const icon of ICONS) {
      const file = join(dir, icon.path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await draw(svg, icon));
    }
  },
});

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

/** File types that compression makes smaller; models and images stay as they are. */
const COMPRESSIBLE = /\.(html|js|css|json|webmanifest|svg|wasm)$/;
/** Brotli level: half of the maximum gain in a hundredth of its time; 32 MB of WASM take 2 s. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 } };

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

const compressFile = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  await Promise.all([
    brotli(bytes, BROTLI).then((compressed) => writeFile(`${path}.br`, compressed)),
    gzipped(bytes).then((compressed) => writeFile(`${path}.gz`, compressed)),
  ]);
};

/** Writes a compressed copy next to each file for the server to send. Must run after all files are written. */
export const precompress = (): Plugin => ({
  name: 'veil-precompress',
  apply: 'build',
  writeBundle: {
    order: 'post',
    sequential: true,
    handler: async ({ dir = '' }) => {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
      await Promise.all(files.map(({ parentPath, name }) => compressFile(join(parentPath, name))));
    },
  },
});
