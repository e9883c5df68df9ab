import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  concatBytes,
  exifBytes,
  JPEG_END,
  JPEG_SCAN,
  JPEG_START,
  jpegExif,
  jpegFile,
  jpegFrame,
  jpegSegment,
  PNG_SIGNATURE,
  pngChunk,
  pngFile,
  pngHeader,
} from '../../testing/image-bytes';
import { refusal, sniff, statedFacts } from '../../testing/sniffed-files';
import { recogniseVideo } from './recognise';

const TRUNCATED_JPEG = 'The JPEG file is truncated: it ends before the image does.';
const TRUNCATED_PNG = 'The PNG file is truncated: it ends before the image does.';
const CORRUPT_JPEG = 'The JPEG file is damaged: its header is corrupt.';
const CORRUPT_PNG = 'The PNG file is damaged: its header is corrupt.';
const NO_IMAGE =
  'The file is not an image; JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP and GIF images are supported.';
const ODD_JPEG =
  'This JPEG file is lossless, arithmetic-coded or has more than 8 bits a sample; baseline and progressive JPEG with 8 bits are supported.';

const bytesOf = (characters: string): Uint8Array => Uint8Array.from(characters, (c) => c.charCodeAt(0));

describe('a JPEG file', () => {
  it('gives its stored size, and orientation 1 without EXIF', async () => {
    expect(await statedFacts(jpegFile(640, 480))).toEqual({
      format: 'jpeg',
      width: 640,
      height: 480,
      orientation: 1,
      hasAlpha: false,
    });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('gives EXIF orientation %i in both byte orders', async (orientation) => {
    expect((await sniff(jpegFile(2, 1, exifBytes(orientation, 'II')))).orientation).toBe(orientation);
    expect(await sniff(jpegFile(2, 1, exifBytes(orientation, 'MM')))).toMatchObject({
      width: 2,
      orientation,
    });
  });

  it.each([
    ['zero', exifBytes(0)],
    ['out of range', exifBytes(9)],
    ['cut short', exifBytes(6).subarray(0, 15)],
    ['with another byte order', concatBytes([0, 0], exifBytes(6).subarray(2))],
    ['pointing behind its end', concatBytes(exifBytes(6).subarray(0, 4), [0x7f, 0xff, 0xff, 0xff])],
    ['empty', new Uint8Array(0)],
  ])('counts as upright where its EXIF is %s', async (_, exif) => {
    expect((await sniff(jpegFile(2, 1, exif))).orientation).toBe(1);
  });

  it('has the orientation of the first of two EXIF blocks', async () => {
    const second = jpegExif(exifBytes(3));
    const bytes = concatBytes(jpegFile(2, 1, exifBytes(6)).subarray(0, -2), second, JPEG_END);
    expect((await sniff(bytes)).orientation).toBe(6);
  });

  it('may contain several scans, fill bytes and stray bytes between segments', async () => {
    const bytes = concatBytes(
      JPEG_START,
      [0xff, 0xff],
      jpegFrame(3, 2, 0xc2),
      [1, 2, 3],
      JPEG_SCAN,
      JPEG_SCAN,
      JPEG_END,
    );
    expect(await sniff(bytes)).toMatchObject({ width: 3, height: 2 });
  });

  it('may be followed by previews and gain maps', async () => {
    expect((await sniff(concatBytes(jpegFile(3, 2), jpegFile(9, 9).subarray(0, 20)))).width).toBe(3);
  });

  it('is refused wherever it is cut', async () => {
    const whole = jpegFile(640, 480, exifBytes(6));
    for (let length = 3; length < whole.length; length++) {
      expect(await refusal(whole.subarray(0, length))).toBe(TRUNCATED_JPEG);
    }
  });

  it.each([
    ['no frame header', concatBytes(JPEG_START, JPEG_SCAN, JPEG_END)],
    ['no scan', concatBytes(JPEG_START, jpegFrame(1, 1), JPEG_END)],
    ['two frame headers', concatBytes(JPEG_START, jpegFrame(1, 1), jpegFrame(9, 9), JPEG_SCAN, JPEG_END)],
    ['a frame header too short', concatBytes(JPEG_START, jpegSegment(0xc0, [8, 0]), JPEG_SCAN, JPEG_END)],
    ['a second start', concatBytes(JPEG_START, JPEG_START, jpegFrame(1, 1), JPEG_SCAN, JPEG_END)],
    ['a segment shorter than its length', concatBytes(JPEG_START, [0xff, 0xe0, 0, 1])],
    ['a reserved marker', concatBytes(JPEG_START, [0xff, 0x02, 0, 2], jpegFrame(1, 1))],
    [
      'a thousand scans',
      concatBytes(JPEG_START, jpegFrame(1, 1), ...Array.from({ length: 1000 }, () => JPEG_SCAN), JPEG_END),
    ],
  ])('is refused with %s', async (_, bytes) => {
    expect(await refusal(bytes)).toBe(CORRUPT_JPEG);
  });

  it.each([
    ['lossless', jpegFrame(1, 1, 0xc3)],
    ['arithmetic-coded', jpegFrame(1, 1, 0xc9)],
    ['12-bit', jpegFrame(1, 1, 0xc1, 12)],
  ])('is refused where it is %s', async (_, frame) => {
    expect(await refusal(concatBytes(JPEG_START, frame, JPEG_SCAN, JPEG_END))).toBe(ODD_JPEG);
  });
});

describe('a PNG file', () => {
  it('gives its size', async () => {
    expect(await statedFacts(pngFile(640, 480))).toEqual({
      format: 'png',
      width: 640,
      height: 480,
      orientation: 1,
      hasAlpha: false,
    });
  });

  it('gives the orientation of its eXIf chunk', async () => {
    expect((await sniff(pngFile(2, 1, pngChunk('eXIf', exifBytes(8))))).orientation).toBe(8);
  });

  it('may be followed by any bytes', async () => {
    expect((await sniff(concatBytes(pngFile(2, 1), [1, 2, 3]))).width).toBe(2);
  });

  it('is refused where it is animated', async () => {
    const animated = pngFile(2, 1, pngChunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0]));
    expect(await refusal(animated)).toBe('This is an animated PNG; only still images are supported.');
  });

  it('is refused if the checksum of its pixels is wrong', async () => {
    const bytes = pngFile(2, 1);
    bytes[bytes.length - 13]! ^= 1;
    expect(await refusal(bytes)).toBe('The image is damaged: its pixel data cannot be decoded.');
  });

  it('is accepted if the checksum of an ancillary chunk is wrong', async () => {
    const comment = pngChunk('tEXt', [65, 0, 65]);
    comment[comment.length - 1]! ^= 1;
    expect((await sniff(pngFile(2, 1, comment))).width).toBe(2);
  });

  it('is refused wherever it is cut', async () => {
    const whole = pngFile(640, 480);
    for (let length = 8; length < whole.length; length++) {
      expect(await refusal(whole.subarray(0, length))).toBe(TRUNCATED_PNG);
    }
  });

  it.each([
    ['another chunk first', concatBytes(PNG_SIGNATURE, pngChunk('IDAT'), pngChunk('IEND'))],
    ['a wrong checksum of its header', pngFile(1, 1).with(16, 9)],
    ['no pixels', concatBytes(PNG_SIGNATURE, pngHeader(1, 1), pngChunk('IEND'))],
    ['two headers', pngFile(1, 1, pngHeader(9, 9))],
    ['a header of another length', concatBytes(PNG_SIGNATURE, pngChunk('IHDR', [0, 0, 0, 1]))],
    ['a bit depth its colour type cannot have', concatBytes(PNG_SIGNATURE, pngHeader(1, 1, 4, 2))],
    ['an unknown colour type', concatBytes(PNG_SIGNATURE, pngHeader(1, 1, 8, 5))],
    ['a chunk whose name is no name', pngFile(1, 1, pngChunk('\0\0\0\0'))],
    [
      'a chunk of four gigabytes',
      concatBytes(PNG_SIGNATURE, pngHeader(1, 1), [255, 255, 255, 255], bytesOf('IDAT1234')),
    ],
  ])('is refused with %s', async (_, bytes) => {
    expect(await refusal(bytes)).toBe(CORRUPT_PNG);
  });
});

describe('a claimed size', () => {
  it.each([
    ['PNG', pngFile(65_536, 65_536), '65,536 × 65,536 pixels; the limit is 65,535 pixels a side.'],
    [
      'JPEG',
      jpegFile(65_535, 65_535),
      '65,535 × 65,535 pixels, 4,294,836,225 in all; the limit is 134,217,728.',
    ],
    ['JPEG', jpegFile(0, 5), '0 × 5 pixels: it is empty.'],
    ['PNG', pngFile(5, 0), '5 × 0 pixels: it is empty.'],
  ])('of a %s beyond the limits is refused with claim and limit', async (_, bytes, sentence) => {
    expect(await refusal(bytes)).toBe(`The image claims ${sentence}`);
  });

  it('at the limit is accepted', async () => {
    expect((await sniff(pngFile(16_384, 8_192))).width).toBe(16_384);
  });
});

describe('a file that is no image of a supported format', () => {
  it('is refused where it is empty', async () => {
    expect(await refusal(new Uint8Array(0))).toBe('The file is empty.');
  });

  it.each([
    ['text called .jpg', 'Hello, I am a photo.'],
    ['half a JPEG signature', '\xff\xd8'],
    ['a PNG mangled by a text transfer', '\x89PNG\n\x1a\n'],
    ['random bytes', '\x01\x02\x03\x04'],
  ])('is refused where it is %s', async (_, characters) => {
    expect(await refusal(bytesOf(characters))).toBe(NO_IMAGE);
  });

  it.each([
    ['\0\0\0\x0cJXL \r\n', 'a JPEG XL image'],
    ['II+\0\x08\0\0\0', 'a TIFF image'],
    ['\0\0\0\x1cftypcrx ', 'a Canon raw image'],
    ['<?xml version="1.0"?>\n<!-- a --><svg xmlns="">', 'an SVG drawing'],
    ['%PDF-1.7', 'a PDF document'],
    ['\0\0\0\x1cftypisom', 'an MP4 video'],
    ['\x1a\x45\xdf\xa3', 'a WebM or Matroska video'],
  ])('is refused by the name of its kind: %j', async (characters, kind) => {
    expect(await refusal(bytesOf(characters))).toBe(
      `The file is ${kind}; JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP and GIF images are supported.`,
    );
  });

  it('is a video only by its content', async () => {
    expect(recogniseVideo(bytesOf('\0\0\0\x1cftypisom'))).toBe('mp4');
    expect(recogniseVideo(bytesOf('\0\0\0\x1cftypheic'))).toBeUndefined();
    expect(recogniseVideo(jpegFile(1, 1))).toBeUndefined();
  });
});

const ODD_IMAGES = new URL('../../../../shared/data/odd-images/', import.meta.url).pathname;
const hasOddImages = existsSync(ODD_IMAGES);
const odd = (name: string): Uint8Array => readFileSync(join(ODD_IMAGES, name));

describe.skipIf(!hasOddImages)(
  'unusual images from public collections (skipped where ../shared/data is absent)',
  () => {
    it.each([
      ['corrupt-header.jpg', TRUNCATED_JPEG],
      ['truncated.jpg', TRUNCATED_JPEG],
      ['truncated.png', TRUNCATED_PNG],
      [
        'giant-image.jpg',
        'The image claims 20,000 × 14,000 pixels, 280,000,000 in all; the limit is 134,217,728.',
      ],
      [
        '65536-uint32-limit.png',
        'The image claims 65,536 × 65,536 pixels; the limit is 65,535 pixels a side.',
      ],
      [
        'struct-image-04-t.svg',
        'The file is an SVG drawing; JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP and GIF images are supported.',
      ],
    ])('%s is refused', async (name, sentence) => {
      expect(await refusal(odd(name))).toBe(sentence);
    });

    it.each([1, 2, 3, 4, 5, 6, 7, 8])(
      'photographs taken in orientation %i are told so',
      async (orientation) => {
        expect((await sniff(odd(`Landscape_${orientation}.jpg`))).orientation).toBe(orientation);
        expect((await sniff(odd(`Portrait_${orientation}.jpg`))).orientation).toBe(orientation);
      },
    );

    it('of PngSuite only the corrupt ones are refused', async () => {
      const names = hasOddImages ? readdirSync(join(ODD_IMAGES, 'pngsuite')) : [];
      const refused: string[] = [];
      for (const name of names) {
        if (!(await refusal(odd(`pngsuite/${name}`))).startsWith('accepted')) refused.push(name);
      }
      const corrupt = names.filter((name) => name.startsWith('x'));
      expect(refused).toEqual(corrupt);
    });
  },
);
