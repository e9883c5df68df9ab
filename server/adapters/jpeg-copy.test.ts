import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { copyJpeg } from '#shared/engine/jpeg-copy/copy-jpeg';
import { BLOCK_LENGTH, NotCopyable, type JpegBlocks } from '#shared/engine/jpeg-copy/jpeg-blocks';
import { readBlocks } from '#shared/engine/jpeg-copy/read-blocks';
import { createTouchedCells } from '#shared/engine/jpeg-copy/touched-cells';
import { writeBlocks } from '#shared/engine/jpeg-copy/write-blocks';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { jpegWithGainMap, MARK } from '../testing/side-images';
import { imageCodec } from './image-codec';

const [WIDTH, HEIGHT] = [208, 144];
/** What is hidden, not in step with the blocks. */
const HIDDEN = { x1: 37, y1: 50, x2: 90, y2: 97 };

/** Smooth colours with noise, so that all frequencies occur. */
const pixels = (width: number, height: number): Uint8Array => {
  let seed = 7;
  const noise = (): number => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) >> 26;
  return Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    return Math.min(255, ((x * (1 + (i % 3)) + y * 2) % 224) + noise());
  });
};

const jpegOf = async (options: JpegOptions, size = { width: WIDTH, height: HEIGHT }): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp(pixels(size.width, size.height), { raw: { ...size, channels: 3 } })
      .jpeg(options)
      .toBuffer(),
  );

/** Hides a rectangle in black, as redaction does, and copies the rest. */
const hideAndCopy = async (bytes: Uint8Array): Promise<Uint8Array | undefined> => {
  const header = await readImageHeader(bytes, LIMITS);
  const raster = await imageCodec.decode(bytes, header);
  const touched = createTouchedCells(raster);
  const { x1, y1, x2, y2 } = HIDDEN;
  for (let y = y1; y < y2; y++) {
    const row = y * raster.width;
    for (let x = x1; x < x2; x++) raster.data.fill(0, (row + x) * 4, (row + x) * 4 + 3);
  }
  touched.draw({ box: HIDDEN, alpha: new Uint8Array((x2 - x1) * (y2 - y1)).fill(255) });
  return copyJpeg({ bytes, header, raster, touched }, (...file) => imageCodec.decode(...file));
};

const copied = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const result = await hideAndCopy(bytes);
  if (!result) throw new Error('the file was not copied');
  return result;
};

/** Compares each block with that of the source. @returns numbers of blocks that are equal, and that differ, outside and inside of what is hidden */
const compareBlocks = (
  source: JpegBlocks,
  result: JpegBlocks,
): Record<'equal' | 'outside' | 'inside', number> => {
  const count = { equal: 0, outside: 0, inside: 0 };
  source.components.forEach(({ across, down, columns, rows, stride, coefficients }, index) => {
    const [widest, highest] = [source.components[0]!.across, source.components[0]!.down];
    const [wide, high] = [(8 * widest) / across, (8 * highest) / down];
    const other = result.components[index]!.coefficients;
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const at = (y * stride + x) * BLOCK_LENGTH;
        const isEqual = coefficients
          .subarray(at, at + BLOCK_LENGTH)
          .every((value, k) => value === other[at + k]);
        const isInside =
          x * wide < HIDDEN.x2 &&
          (x + 1) * wide > HIDDEN.x1 &&
          y * high < HIDDEN.y2 &&
          (y + 1) * high > HIDDEN.y1;
        count[isEqual ? 'equal' : isInside ? 'inside' : 'outside']++;
      }
    }
  });
  return count;
};

/** 64 × 48, chroma halved, a restart marker behind each second MCU. */
const WITH_RESTARTS =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAwAEADASIAAhEBAxEB/8QAGQABAQADAQAAAAAAAAAAAAAAAwQABQYH/8QAFxAAAwEAAAAAAAAAAAAAAAAAAAIDYf/EABkBAQEBAQEBAAAAAAAAAAAAAAQDBQECBv/EABYRAQEBAAAAAAAAAAAAAAAAAAIAA//dAAQAAv/aAAwDAQACEQMRAD8A86WOCLHC1Y4KscJjW4XRLHBVjhascEWOCxrWLv/Q4xY4KscLVjgixw0hrMLo1jgixwtWOCrHBQ1rl3//0edWOCLHC1Y4KscMkaxC6JY4KscLFjgqxwWNaxd//9LXrHBVjhascEWOHBrei6JY4KscLVjgixwWNa5d/9PFjgqxwtWOCLHD5ca2UXRrHBFjhascFWOCxrWLv//U2axwVY4WLHBVjhmDWOXRLHBVjhascEWOCxrXLv/Z';

/** Kinds of files that cameras and web sites write. */
const KINDS = {
  'baseline, chroma halved': { quality: 92, chromaSubsampling: '4:2:0' },
  'baseline, chroma in full': { quality: 75, chromaSubsampling: '4:4:4' },
  'progressive, chroma halved': { quality: 85, progressive: true },
  'progressive, chroma in full': { quality: 95, progressive: true, chromaSubsampling: '4:4:4' },
  'progressive, of many scans': { quality: 60, mozjpeg: true },
} as const satisfies Record<string, JpegOptions>;

describe('a JPEG file whose untouched blocks are copied', () => {
  it.each(Object.entries(KINDS))('keeps the coefficients of each block outside: %s', async (_, options) => {
    const source = await jpegOf(options);
    const count = compareBlocks(readBlocks(source), readBlocks(await copied(source)));
    expect(count.outside).toBe(0);
    expect(count.inside).toBeGreaterThan(40);
  });

  it('keeps the coefficients of a file with restart markers, which the result does not need', () => {
    const source = new Uint8Array(Buffer.from(WITH_RESTARTS, 'base64'));
    const result = writeBlocks(readBlocks(source));
    expect(readBlocks(result).components).toEqual(readBlocks(source).components);
    const hasRestart = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes(Buffer.of(0xff, 0xd0));
    expect([hasRestart(source), hasRestart(result)]).toEqual([true, false]);
  });

  it('keeps no coefficient of a hidden block', async () => {
    const source = await jpegOf(KINDS['baseline, chroma halved']);
    const result = readBlocks(await copied(source));
    const [luma] = result.components;
    // A block in the middle of the rectangle is black: nothing but a DC coefficient.
    const at = (8 * luma!.stride + 8) * BLOCK_LENGTH;
    const block = [...luma!.coefficients.subarray(at, at + BLOCK_LENGTH)];
    expect(block.slice(1)).toEqual(Array.from({ length: BLOCK_LENGTH - 1 }, () => 0));
  });

  it('shows what redaction made of the hidden part', async () => {
    const result = await copied(await jpegOf(KINDS['baseline, chroma in full']));
    const { data, info } = await sharp(result).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: WIDTH, height: HEIGHT });
    const inside = data[(70 * WIDTH + 60) * 3]!;
    expect(inside).toBeLessThan(3);
  });

  it('is at most 3 % larger than its source', async () => {
    for (const options of Object.values(KINDS)) {
      const source = await jpegOf(options, { width: 640, height: 400 });
      expect((await copied(source)).length).toBeLessThanOrEqual(source.length * 1.03);
    }
  });

  it('has no metadata, thumbnail or bytes behind its end', async () => {
    const plain = await jpegOf(KINDS['baseline, chroma halved']);
    const withExif = await sharp(plain)
      .withExif({ IFD0: { Artist: 'MARK-1' } })
      .jpeg()
      .toBuffer();
    const source = Buffer.concat([withExif, Buffer.from('MARK-2')]);
    const result = Buffer.from(await copied(source));
    expect(source.includes('MARK-1') && source.includes('MARK-2')).toBe(true);
    expect(result.includes('MARK-')).toBe(false);
    expect((await readImageHeader(result, LIMITS)).metadata).toEqual([]);
  });

  it('keeps nothing of a second image behind it, nor the segment that says where it is (MPF)', async () => {
    const second = await jpegOf({ quality: 80 }, { width: 64, height: 48 });
    const source = Buffer.from(jpegWithGainMap(await jpegOf(KINDS['baseline, chroma halved']), second));
    const result = Buffer.from(await copied(source));
    const pixelsOfSecond = Buffer.from(second.subarray(-200, -100));
    const traces = [MARK, 'MPF\0', pixelsOfSecond];
    expect(traces.map((trace) => source.includes(trace))).toEqual([true, true, true]);
    expect(traces.map((trace) => result.includes(trace))).toEqual([false, false, false]);
    expect(result.indexOf(Buffer.of(0xff, 0xd9))).toBe(result.length - 2);
  });

  it('keeps nothing of what lies behind the edge: somebody cut it away', async () => {
    // As lossless cropping does it: only the size is another.
    const narrow = Buffer.from(await jpegOf(KINDS['baseline, chroma halved'], { width: 208, height: 144 }));
    narrow.writeUInt16BE(201, narrow.indexOf(Buffer.of(0xff, 0xc0)) + 7);
    const [before, after] = [readBlocks(narrow), readBlocks(await copied(narrow))];
    const [luma] = before.components;
    const atEdge = 25 * BLOCK_LENGTH + 1;
    expect(luma!.columns).toBe(26);
    const edge = ({ components }: JpegBlocks): Int16Array =>
      components[0]!.coefficients.subarray(atEdge, atEdge + 63);
    expect(edge(before).some((value) => value !== 0)).toBe(true);
    expect(edge(after)).not.toEqual(edge(before));
  });

  it('is not made of a file that is turned, in other colours, or damaged', async () => {
    const plain = await jpegOf(KINDS['baseline, chroma halved']);
    const turned = await sharp(plain).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const wide = await sharp(plain).withIccProfile('p3').jpeg().toBuffer();
    const cmyk = await sharp(plain).toColourspace('cmyk').jpeg().toBuffer();
    const damaged = Buffer.concat([plain.subarray(0, -400), plain.subarray(-2)]);
    for (const source of [turned, wide, cmyk]) expect(await hideAndCopy(source)).toBeUndefined();
    expect(() => readBlocks(damaged)).toThrow(NotCopyable);
  });
});
