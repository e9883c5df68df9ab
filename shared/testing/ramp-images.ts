import { concatBytes, PNG_SIGNATURE, pngChunk, pngHeader } from './image-bytes';

/** Small valid images that are made by code, so that every decoder reads them and no files are needed. */

const STORED_BLOCK_BYTES = 65_535;
const ADLER_MODULUS = 65_521;

const adler32 = (bytes: Uint8Array): number => {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % ADLER_MODULUS;
    b = (b + a) % ADLER_MODULUS;
  }
  return b * 65_536 + a;
};

/** A zlib stream without compression (RFC 1950, with stored blocks of RFC 1951). */
const zlibStored = (bytes: Uint8Array): Uint8Array => {
  const blocks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += STORED_BLOCK_BYTES) {
    const block = bytes.subarray(start, start + STORED_BLOCK_BYTES);
    const isLast = start + STORED_BLOCK_BYTES >= bytes.length ? 1 : 0;
    const { length } = block;
    const header = [isLast, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff];
    blocks.push(Uint8Array.from(header), block);
  }
  const sum = adler32(bytes);
  const checksum = [24, 16, 8, 0].map((shift) => (sum >>> shift) & 0xff);
  return concatBytes([0x78, 0x01], ...blocks, checksum);
};

const encodeRamps = (width: number, height: number): Uint8Array => {
  const rowBytes = 1 + width * 3;
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pixel = y * rowBytes + 1 + x * 3;
      rows[pixel] = (x * 255) / width;
      rows[pixel + 1] = (y * 255) / height;
      rows[pixel + 2] = 128;
    }
  }
  return concatBytes(
    PNG_SIGNATURE,
    pngHeader(width, height),
    pngChunk('IDAT', zlibStored(rows)),
    pngChunk('IEND'),
  );
};

/** Files by size, because fake engines write them again and again as results. */
const ramps = new Map<string, Uint8Array>();

/** A PNG of RGB colour ramps. Each call returns a copy. */
export const rampPng = (width: number, height: number): Uint8Array => {
  const key = `${width}x${height}`;
  const file = ramps.get(key) ?? encodeRamps(width, height);
  ramps.set(key, file);
  return file.slice();
};

/** A black PNG with one bit per pixel: many pixels in a small file. */
export const blackPng = (width: number, height: number): Uint8Array =>
  concatBytes(
    PNG_SIGNATURE,
    pngHeader(width, height, 1, 0),
    pngChunk('IDAT', zlibStored(new Uint8Array((1 + Math.ceil(width / 8)) * height))),
    pngChunk('IEND'),
  );

/** Width and height of {@link RAMP_JPEG} and {@link RAMP_PNG}. */
export const RAMP_SIZE = [48, 32] as const;
export const RAMP_PNG = rampPng(...RAMP_SIZE);

/** The same ramps as a baseline JPEG, 4:2:0, quality 60. */
const RAMP_JPEG_BASE64 = [
  '/9j/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMR',
  'EyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAgADADASIAAhEBAxEB',
  '/8QAFwAAAwEAAAAAAAAAAAAAAAAAAwQFBv/EABcQAAMBAAAAAAAAAAAAAAAAAAACBGH/xAAXAQEBAQEAAAAAAAAAAAAAAAAEBQMH/8QA',
  'FxEAAwEAAAAAAAAAAAAAAAAAAAIDBP/aAAwDAQACEQMRAD8Aw6TYHSbCgk2B0mwrNcLDST0mwYSbB9JsGEmwO1yvDST0mwOk2FBJsDpN',
  'gdrleGkSSbA6TYUEmwOk2BmuczhpEEmwOk2FBJsDpNhg1yvDST0mwYSbB9JsGEmwO1yvDSf/2Q==',
].join('');
export const RAMP_JPEG = Uint8Array.from(atob(RAMP_JPEG_BASE64), (c) => c.charCodeAt(0));

/** The first bytes of an MP4 file. */
export const MP4_START = concatBytes(
  [0, 0, 0, 24],
  Uint8Array.from('ftypisom', (c) => c.charCodeAt(0)),
  [0, 0, 2, 0],
  Uint8Array.from('isomiso2', (c) => c.charCodeAt(0)),
);
