import { US_PER_SECOND } from '../domain/plan';

/** A RIFF chunk: four letters, the length in bytes, the content, and a padding byte after an odd length. */
const chunk = (name: string, ...parts: readonly Uint8Array[]): Uint8Array => {
  const sizeBytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const bytes = new Uint8Array(8 + sizeBytes + (sizeBytes % 2));
  bytes.set(new TextEncoder().encode(name));
  new DataView(bytes.buffer).setUint32(4, sizeBytes, true);
  let at = 8;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
};

const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);
const list = (kind: string, ...parts: readonly Uint8Array[]): Uint8Array =>
  chunk('LIST', text(kind), ...parts);

/** Numbers of 4 bytes each. */
const longs = (...values: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);
const words = (...values: readonly number[]): Uint8Array => new Uint8Array(Uint16Array.from(values).buffer);

const HAS_INDEX = 0x10;
const IS_KEY_FRAME = 0x10;

/**
 * An AVI file of JPEG frames, like those of old cameras. Browsers cannot read it.
 *
 * @param images JPEG files of one size
 */
export const aviFile = (
  images: readonly Uint8Array[],
  { width, height, framesPerSecond }: { width: number; height: number; framesPerSecond: number },
): Uint8Array => {
  const count = images.length;
  const largest = Math.max(...images.map(({ byteLength }) => byteLength));
  const mainHeader = longs(
    US_PER_SECOND / framesPerSecond,
    0,
    0,
    HAS_INDEX,
    count,
    0,
    1,
    largest,
    width,
    height,
    0,
    0,
    0,
    0,
  );
  const streamHeader = [
    text('vidsMJPG'),
    longs(0, 0, 0, 1, framesPerSecond, 0, count, largest, 0xffffffff, 0),
    words(0, 0, width, height),
  ];
  const format = [
    longs(40, width, height),
    words(1, 24),
    text('MJPG'),
    longs(width * height * 3, 0, 0, 0, 0),
  ];
  const frames = images.map((image) => chunk('00dc', image));
  let at = 4;
  const index = frames.map((frame, i) => {
    const entry = [text('00dc'), longs(IS_KEY_FRAME, at, images[i]!.byteLength)];
    at += frame.byteLength;
    return entry;
  });
  const header = list(
    'hdrl',
    chunk('avih', mainHeader),
    list('strl', chunk('strh', ...streamHeader), chunk('strf', ...format)),
  );
  return chunk('RIFF', text('AVI '), header, list('movi', ...frames), chunk('idx1', ...index.flat()));
};
