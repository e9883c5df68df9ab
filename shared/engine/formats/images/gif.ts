import type { Size } from '../../../domain/raster';
import { animatedFile, corruptHeader, truncatedFile } from '../../../domain/failure';
import { hasCharacters } from '../bytes';
import type { HeaderNotes, HeaderReader } from '../header-reader';
import { countStructures } from '../structure-limits';

const FORMAT = 'GIF';
const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;
const EXTENSION = 0x21;
const GRAPHIC_CONTROL = 0xf9;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
const IMAGE = 0x2c;
/** In a graphic control extension: one colour is transparent. */
const TRANSPARENT_FLAG = 1;

const uint16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);

/** Bytes of the colour table that the flags of a screen or image announce. */
const paletteBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** The offset behind a chain of sub-blocks. */
const skipSubBlocks = (bytes: Uint8Array, from: number): number => {
  let at = from;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) throw truncatedFile(FORMAT);
    at += 1 + length;
    if (length === 0) return at;
  }
};

/** What the blocks read so far contain. */
interface Found {
  frames: number;
  hasAlpha: boolean;
  /** Of the graphic control extension before the next image. */
  isNextTransparent: boolean;
}

const readImage = (bytes: Uint8Array, at: number, screen: Size, found: Found): number => {
  if (at + DESCRIPTOR_BYTES >= bytes.length) throw truncatedFile(FORMAT);
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => uint16(bytes, at + offset)) as [
    number,
    number,
    number,
    number,
  ];
  if (found.frames === 0) {
    // Readers disagree about images that reach beyond their screen: some enlarge the screen, some cut the image.
    const isInside = left + width <= screen.width && top + height <= screen.height;
    if (!isInside || width === 0 || height === 0) throw corruptHeader(FORMAT);
    found.hasAlpha = found.isNextTransparent || width < screen.width || height < screen.height;
  }
  found.frames += 1;
  found.isNextTransparent = false;
  const codeSizeBytes = 1;
  return skipSubBlocks(bytes, at + DESCRIPTOR_BYTES + paletteBytes(bytes[at + 9] ?? 0) + codeSizeBytes);
};

const readExtension = (bytes: Uint8Array, at: number, found: Found, { note }: HeaderNotes): number => {
  const label = bytes[at + 1];
  if (label === GRAPHIC_CONTROL) found.isNextTransparent = ((bytes[at + 3] ?? 0) & TRANSPARENT_FLAG) !== 0;
  if (label === COMMENT) note('text');
  if (label === APPLICATION) note(hasCharacters(bytes, at + 3, 'XMP Data') ? 'xmp' : 'other');
  return skipSubBlocks(bytes, at + 2);
};

/**
 * Walks a GIF file's blocks and counts its frames; compressed data is left to the decoder.
 *
 * Anything but a block behind the first image ends the file, as in browsers.
 *
 * @see https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
export const readGif: HeaderReader = (bytes, notes) => {
  if (bytes.length < HEADER_BYTES) throw truncatedFile(FORMAT);
  const screen = { width: uint16(bytes, 6), height: uint16(bytes, 8) };
  const found: Found = { frames: 0, hasAlpha: false, isNextTransparent: false };
  const count = countStructures('gif');
  let at = HEADER_BYTES + paletteBytes(bytes[10] ?? 0);
  for (;;) {
    count();
    if (bytes[at] === EXTENSION) at = readExtension(bytes, at, found, notes);
    else if (bytes[at] === IMAGE) at = readImage(bytes, at, screen, found);
    else break;
  }
  if (at + 1 < bytes.length) notes.note('trailer');
  if (found.frames === 0) throw at >= bytes.length ? truncatedFile(FORMAT) : corruptHeader(FORMAT);
  if (found.frames > 1) throw animatedFile('an animated GIF', found.frames);
  return { format: 'gif', ...screen, orientation: 1, hasAlpha: found.hasAlpha };
};
