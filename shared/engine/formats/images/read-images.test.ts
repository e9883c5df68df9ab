import { describe, expect, it } from 'vitest';
import { bmpFile } from '../../../testing/bmp-files';
import { imageFile } from '../../../testing/image-files';
import { concatBytes, exifBytes } from '../../../testing/image-bytes';
import { refusal, sniff, statedFacts } from '../../../testing/sniffed-files';
import { tiffFile, tiffPage } from '../../../testing/tiff-files';

const text = (characters: string): Uint8Array => Uint8Array.from(characters, (c) => c.charCodeAt(0));
const little = (value: number, bytes = 4): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);

const chunk = (type: string, payload: Iterable<number>): Uint8Array => {
  const bytes = [...payload];
  return concatBytes(text(type), little(bytes.length), bytes, bytes.length % 2 ? [0] : []);
};
const webp = (...chunks: readonly Uint8Array[]): Uint8Array => {
  const content = concatBytes(text('WEBP'), ...chunks);
  return concatBytes(text('RIFF'), little(content.length), content);
};
const extended = (width: number, height: number, flags = 0): Uint8Array =>
  chunk('VP8X', [flags, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)]);
const lossless = (width: number, height: number, hasAlpha = 0): Uint8Array =>
  chunk('VP8L', [0x2f, ...little(((width - 1) | ((height - 1) << 14) | (hasAlpha << 28)) >>> 0)]);
const lossy = (width: number, height: number): Uint8Array =>
  chunk('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, ...little(width, 2), ...little(height, 2)]);

describe('a WebP file', () => {
  it.each([
    ['lossy', webp(lossy(30, 20)), false],
    ['lossless', webp(lossless(30, 20)), false],
    ['lossless with transparency', webp(lossless(30, 20, 1)), true],
    ['extended with transparency', webp(extended(30, 20, 0x10), lossy(30, 20)), true],
  ])('states size and transparency: %s', async (_, bytes, hasAlpha) => {
    expect(await statedFacts(bytes)).toEqual({
      format: 'webp',
      width: 30,
      height: 20,
      orientation: 1,
      hasAlpha,
    });
  });

  it('is turned by its EXIF, with and without the prefix of JPEG', async () => {
    const image = [extended(3, 2, 8), lossy(3, 2)];
    expect((await sniff(webp(...image, chunk('EXIF', exifBytes(6))))).orientation).toBe(6);
    const prefixed = concatBytes(text('Exif\0\0'), exifBytes(8));
    expect((await sniff(webp(...image, chunk('EXIF', prefixed)))).orientation).toBe(8);
  });

  it('with several frames is refused with their number', async () => {
    const frame = chunk('ANMF', new Array<number>(16).fill(0));
    expect(await refusal(webp(extended(3, 2, 2), frame, frame, frame))).toBe(
      'This is an animated WebP with 3 frames; only still images are supported.',
    );
  });

  it('whose canvas has another size than its image is refused', async () => {
    expect(await refusal(webp(extended(3, 2), lossy(16_000, 16_000)))).toBe(
      'The WebP file is damaged: its header is corrupt.',
    );
  });

  it('that claims more pixels than the limit is refused before it is decoded', async () => {
    expect(await refusal(webp(lossless(16_384, 16_384)))).toContain(
      'The image claims 16,384 × 16,384 pixels',
    );
  });
});

const gif = (width: number, height: number, ...blocks: readonly Iterable<number>[]): Uint8Array =>
  concatBytes(text('GIF89a'), little(width, 2), little(height, 2), [0, 0, 0], ...blocks, [0x3b]);
const gifImage = (width: number, height: number): number[] => [
  ...[0x2c, 0, 0, 0, 0, ...little(width, 2), ...little(height, 2), 0],
  ...[2, 1, 0, 0],
];
const TRANSPARENT = [0x21, 0xf9, 4, 1, 0, 0, 0, 0];

describe('a GIF file', () => {
  it.each([
    ['opaque', gif(3, 2, gifImage(3, 2)), false],
    ['with a transparent colour', gif(3, 2, TRANSPARENT, gifImage(3, 2)), true],
    ['smaller than its screen', gif(3, 2, gifImage(2, 2)), true],
  ])('states size and transparency: %s', async (_, bytes, hasAlpha) => {
    expect(await statedFacts(bytes)).toEqual({
      format: 'gif',
      width: 3,
      height: 2,
      orientation: 1,
      hasAlpha,
    });
  });

  it('with several frames is refused with their number', async () => {
    expect(await refusal(gif(3, 2, gifImage(3, 2), gifImage(1, 1)))).toBe(
      'This is an animated GIF with 2 frames; only still images are supported.',
    );
  });

  it('that claims more pixels than the limit is refused before it is decoded', async () => {
    expect(await refusal(gif(65_535, 65_535, gifImage(65_535, 65_535)))).toContain('65,535 × 65,535');
  });

  it('that ends within its image is truncated', async () => {
    expect(await refusal(gif(3, 2, gifImage(3, 2)).subarray(0, -3))).toContain('truncated');
  });
});

describe('a BMP file', () => {
  const row = [1, 2, 3, 4, 5, 6, 0, 0];

  it('states its size, whichever row is the first', async () => {
    const claim = { format: 'bmp', width: 2, height: 1, orientation: 1, hasAlpha: false };
    expect(await statedFacts(bmpFile({ width: 2, height: 1, bitCount: 24, pixels: row }))).toEqual(claim);
    expect(await statedFacts(bmpFile({ width: 2, height: -1, bitCount: 24, pixels: row }))).toEqual(claim);
  });

  it('has transparency where it has a mask for it', async () => {
    const masks = [0xff0000, 0xff00, 0xff, 0xff000000] as const;
    expect(
      await sniff(bmpFile({ width: 1, height: 1, bitCount: 32, coding: 3, masks, pixels: [1, 2, 3, 4] })),
    ).toMatchObject({
      hasAlpha: true,
    });
  });

  it('of runs that claims more pixels than the limit is refused before it is decoded', async () => {
    const bomb = bmpFile({
      width: 60_000,
      height: 60_000,
      bitCount: 8,
      coding: 1,
      palette: [[0, 0, 0]],
      pixels: [0, 1],
    });
    expect(await refusal(bomb)).toContain('The image claims 60,000 × 60,000 pixels');
  });

  it('without the pixels that it claims is truncated', async () => {
    const claim = { width: 60_000, height: 60_000, bitCount: 24, pixels: row };
    expect(await refusal(bmpFile(claim))).toBe('The BMP file is truncated: it ends before the image does.');
  });
});

describe('a TIFF file', () => {
  it.each([
    ['tiles.tif', 1, false],
    ['turned.tif', 8, false],
    ['transparent.tif', 1, true],
    ['multiplied.tif', 1, true],
    ['inks.tif', 1, false],
  ])('states size, orientation and transparency: %s', async (name, orientation, hasAlpha) => {
    expect(await statedFacts(imageFile(name))).toEqual({
      format: 'tiff',
      width: 48,
      height: 32,
      orientation,
      hasAlpha,
    });
  });

  it('of several pages is refused with their number', async () => {
    expect(await refusal(imageFile('3-pages.tif'))).toBe(
      'This TIFF has 3 pages; only files of one page are supported.',
    );
  });

  it('with a thumbnail has one page', async () => {
    expect(
      await sniff(tiffFile([tiffPage(1, 1), tiffPage(1, 1, [254, 4, 1, 1])], [0, 0, 0, 0])),
    ).toMatchObject({ width: 1 });
  });

  it('whose directories lead in a circle is refused', async () => {
    const circle = tiffFile([tiffPage(1, 1)], [0, 0, 0, 0]);
    circle.set(little(8), 8 + 2 + 12 * 6);
    expect(await refusal(circle)).toBe('The TIFF file is damaged: its header is corrupt.');
  });

  it('that claims more pixels than the limit is refused before its tables are read', async () => {
    expect(await refusal(tiffFile([tiffPage(65_535, 65_535)], [0, 0, 0, 0]))).toContain(
      'The image claims 65,535 × 65,535 pixels',
    );
  });

  it.each([
    ['of fractions', imageFile('fractions.tif')],
    ['for fax machines', tiffFile([tiffPage(1, 1, [259, 3, 1, 4])], [0, 0, 0, 0])],
    ['in L*a*b*', tiffFile([tiffPage(1, 1, [262, 3, 1, 8])], [0, 0, 0, 0])],
  ])('coded in a way that is not supported on both hosts is refused: %s', async (_, bytes) => {
    expect(await refusal(bytes)).toMatch(/^This TIFF file is coded in a way that is not supported/);
  });
});

describe('a HEIF file', () => {
  it.each([
    ['p3.heic', 'heic', 6, false],
    ['transparent.heic', 'heic', 1, true],
    ['second-of-two.heic', 'heic', 1, false],
    ['turned.avif', 'avif', 6, false],
  ])(
    'states size, orientation and transparency of its primary image: %s',
    async (name, format, orientation, hasAlpha) => {
      expect(await statedFacts(imageFile(name))).toEqual({
        format,
        width: 48,
        height: 32,
        orientation,
        hasAlpha,
      });
    },
  );

  it('with several frames is refused with their number', async () => {
    expect(await refusal(imageFile('3-frames.avif'))).toBe(
      'This is an animated AVIF with 3 frames; only still images are supported.',
    );
  });

  const patched = (name: string, type: string, change: (view: DataView, at: number) => void): Uint8Array => {
    const bytes = imageFile(name);
    const at = String.fromCharCode(...bytes).indexOf(type) + 4;
    change(new DataView(bytes.buffer), at);
    return bytes;
  };

  it('that claims more pixels than the limit is refused before it is decoded, also where most would be cut off', async () => {
    const bomb = patched('p3.heic', 'ispe', (view, at) => {
      view.setUint32(at + 4, 65_000);
      view.setUint32(at + 8, 65_000);
    });
    expect(await refusal(bomb)).toContain('The image claims 65,000 × 65,000 pixels');
  });

  it('in high dynamic range without known primaries is refused', async () => {
    const hdr = patched('p3-by-numbers.heic', 'nclx', (view, at) => {
      view.setUint16(at, 2);
      view.setUint16(at + 2, 16);
    });
    expect(await refusal(hdr)).toContain('in high dynamic range, but does not state its primaries');
  });

  it.each(['p3-by-numbers.heic', 'p3-by-numbers.avif'])('cut off anywhere is refused: %s', async (name) => {
    const bytes = imageFile(name);
    for (let length = 40; length < bytes.length; length += 37) {
      expect(await refusal(bytes.subarray(0, length))).toMatch(/truncated|corrupt/);
    }
  });
});
