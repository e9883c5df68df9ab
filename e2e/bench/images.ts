import sharp from 'sharp';
import { readSample } from '../support/samples';

/** Width in px of each photo in an image that is composed of many. */
const TILE_PX = 2000;

/** A JPEG of this size, composed of photos with people, so that each step has work to do. */
export const makeImage = async (width: number, height: number): Promise<Buffer> => {
  const columns = Math.ceil(width / TILE_PX);
  const rows = Math.ceil(height / TILE_PX);
  const [tileWidth, tileHeight] = [Math.ceil(width / columns), Math.ceil(height / rows)];
  const tiles = Array.from({ length: columns * rows }, async (_, i) => ({
    input: await sharp(readSample(1 + (i % 6)))
      .resize(tileWidth, tileHeight, { fit: 'cover' })
      .toBuffer(),
    left: (i % columns) * tileWidth,
    top: Math.floor(i / columns) * tileHeight,
  }));
  return sharp({ create: { width, height, channels: 3, background: '#888' } })
    .composite(await Promise.all(tiles))
    .jpeg({ quality: 90 })
    .toBuffer();
};
