import sharp, { type Sharp } from 'sharp';
import { imageFile } from '#shared/testing/image-files';
import { animatedGif } from '#shared/testing/small-images';
import { concatBytes, jpegFile, pngChunk, pngFile } from '#shared/testing/image-bytes';

/** A smooth image that every codec changes only slightly. */
const gradient = (width = 96, height = 64): Sharp => {
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i += 1) {
    const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
    data.set([x * 255, y * 255, 128], i * 3);
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
};

const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);
const jpeg = (): Promise<Buffer> => gradient().jpeg().toBuffer();
const png = (): Promise<Buffer> => gradient().png().toBuffer();

/** Content of `acTL`: two frames, repeated endlessly. */
const ANIMATION = pngChunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0]);

export interface ReadableImage {
  readonly bytes: () => Promise<Uint8Array>;
  /** Mean difference, of 255, that decoding may cause; absent for the usual limit. */
  readonly maxDifference?: number;
}

/** Unusual images that are supported. */
export const READABLE = {
  'an 8-bit grey JPEG': { bytes: () => gradient().greyscale().jpeg().toBuffer() },
  'a progressive JPEG': { bytes: () => gradient().jpeg({ progressive: true }).toBuffer() },
  'a PNG with a palette': { bytes: () => gradient().png({ palette: true, colours: 16 }).toBuffer() },
  'a PNG with 16 bits': { bytes: () => gradient().toColourspace('rgb16').png().toBuffer() },
  'a PNG with transparency': { bytes: () => gradient().ensureAlpha(0.5).png().toBuffer() },
  'an interlaced PNG': { bytes: () => gradient().png({ progressive: true }).toBuffer() },
  'an image of one pixel': { bytes: () => gradient(1, 1).png().toBuffer() },
} as const satisfies Record<string, ReadableImage>;

export const withOrientation = (orientation: number): Promise<Buffer> =>
  gradient().withMetadata({ orientation }).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
export const upright = (): Promise<Buffer> => gradient().png().toBuffer();

/** Refused files, with their error sentences. */
export const UNREADABLE = {
  'an empty file': { bytes: async () => text(''), detail: 'The file is empty.' },
  'text called .jpg': {
    bytes: async () => text('This is no image.'),
    detail: 'The file is not an image; JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP and GIF images are supported.',
  },
  'an animated GIF': {
    bytes: async () => animatedGif(),
    detail: 'This is an animated GIF with 2 frames; only still images are supported.',
  },
  'an animated AVIF': {
    bytes: async () => imageFile('3-frames.avif'),
    detail: 'This is an animated AVIF with 3 frames; only still images are supported.',
  },
  'a TIFF of several pages': {
    bytes: async () => imageFile('3-pages.tif'),
    detail: 'This TIFF has 3 pages; only files of one page are supported.',
  },
  'a truncated HEIC': {
    bytes: async () => imageFile('p3-by-numbers.heic').subarray(0, -50),
    detail: 'The HEIC file is truncated: it ends before the image does.',
  },
  'a truncated WebP': {
    bytes: async () => (await gradient().webp().toBuffer()).subarray(0, -50),
    detail: 'The WebP file is truncated: it ends before the image does.',
  },
  'an SVG': {
    bytes: async () => text('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    detail:
      'The file is an SVG drawing; JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP and GIF images are supported.',
  },
  'a truncated JPEG': {
    bytes: async () => (await jpeg()).subarray(0, -200),
    detail: 'The JPEG file is truncated: it ends before the image does.',
  },
  'a truncated PNG': {
    bytes: async () => (await png()).subarray(0, -50),
    detail: 'The PNG file is truncated: it ends before the image does.',
  },
  'a JPEG with a corrupt header': {
    bytes: async () => {
      const bytes = await jpeg();
      bytes.fill(0xff, 2, 200);
      return bytes;
    },
    detail: 'The JPEG file is damaged: its header is corrupt.',
  },
  'a JPEG without pixels behind its header': {
    bytes: async () => jpegFile(640, 480),
    detail: 'The image is damaged: its pixel data cannot be decoded.',
  },
  'a PNG whose pixels are no pixels': {
    bytes: async () => pngFile(640, 480),
    detail: 'The image is damaged: its pixel data cannot be decoded.',
  },
  'a JPEG that claims 65,535 × 65,535 pixels': {
    bytes: async () => jpegFile(65_535, 65_535),
    detail: 'The image claims 65,535 × 65,535 pixels, 4,294,836,225 in all; the limit is 134,217,728.',
  },
  'a PNG that claims more pixels a side than fit': {
    bytes: async () => pngFile(2 ** 31 - 1, 1),
    detail: 'The image claims 2,147,483,647 × 1 pixels; the limit is 65,535 pixels a side.',
  },
  'an animated PNG': {
    bytes: async () => {
      const bytes = await png();
      const header = 33;
      return concatBytes(bytes.subarray(0, header), ANIMATION, bytes.subarray(header));
    },
    detail: 'This is an animated PNG; only still images are supported.',
  },
} as const satisfies Record<string, { bytes: () => Promise<Uint8Array>; detail: string }>;
