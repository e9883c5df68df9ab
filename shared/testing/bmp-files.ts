import { concatBytes } from './image-bytes';

const little = (value: number, bytes: 2 | 4): number[] =>
  Array.from({ length: bytes }, (_, index) => (value >> (8 * index)) & 0xff);

interface BmpParts {
  readonly width: number;
  /** Negative: the first row is the upper one. */
  readonly height: number;
  readonly bitCount: number;
  readonly coding?: number;
  /** Red, green, blue, alpha; with these, the header has 56 bytes. */
  readonly masks?: readonly [number, number, number, number];
  readonly palette?: readonly (readonly [red: number, green: number, blue: number])[];
  readonly pixels: readonly number[];
}

/** A BMP file, whatever it claims. */
export const bmpFile = ({
  width,
  height,
  bitCount,
  coding = 0,
  masks,
  palette = [],
  pixels,
}: BmpParts): Uint8Array => {
  const headerBytes = masks ? 56 : 40;
  const pixelsAt = 14 + headerBytes + 4 * palette.length;
  const size = little(pixelsAt + pixels.length, 4);
  return concatBytes(
    [0x42, 0x4d, ...size, 0, 0, 0, 0, ...little(pixelsAt, 4)],
    [...little(headerBytes, 4), ...little(width, 4), ...little(height, 4), ...little(1, 2)],
    [...little(bitCount, 2), ...little(coding, 4), ...new Array<number>(12).fill(0)],
    [...little(palette.length, 4), 0, 0, 0, 0, ...(masks ?? []).flatMap((mask) => little(mask, 4))],
    palette.flatMap(([red, green, blue]) => [blue, green, red, 0]),
    pixels,
  );
};
