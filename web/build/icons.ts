import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { Plugin } from 'vite';

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
