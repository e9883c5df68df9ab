/** A kind of file that is recognised by its first bytes. `name` is used in messages: `a GIF picture`. */
export interface FileKind {
  readonly name: string;
  readonly isVideo: boolean;
}

/** A kind of file and the characters (Latin-1) that all must be at their byte offsets. */
interface Signature extends FileKind {
  readonly parts: readonly (readonly [offset: number, characters: string])[];
}

const image = (name: string, ...parts: Signature['parts']): Signature => ({ name, isVideo: false, parts });
const video = (name: string, ...parts: Signature['parts']): Signature => ({ name, isVideo: true, parts });

/** The first match wins, so special signatures come before general ones. */
const SIGNATURES: readonly Signature[] = [
  image('a GIF picture', [0, 'GIF8']),
  image('a WebP picture', [0, 'RIFF'], [8, 'WEBP']),
  image('an AVIF picture', [4, 'ftypavif']),
  image('an AVIF picture', [4, 'ftypavis']),
  image('a HEIC picture', [4, 'ftyphei']),
  image('a HEIC picture', [4, 'ftyphev']),
  image('a HEIF picture', [4, 'ftypmif']),
  image('a HEIF picture', [4, 'ftypmsf']),
  image('a HEIF picture', [4, 'ftypmiaf']),
  image('a Canon raw picture', [4, 'ftypcrx']),
  image('a TIFF picture', [0, 'II*\0']),
  image('a TIFF picture', [0, 'MM\0*']),
  image('a TIFF picture', [0, 'II+\0']),
  image('a TIFF picture', [0, 'MM\0+']),
  // A bitmap's reserved field is zero: text that begins with "BM" does not match.
  image('a BMP picture', [0, 'BM'], [6, '\0\0\0\0']),
  image('an icon', [0, '\0\0\x01\0']),
  image('a JPEG XL picture', [0, '\xff\x0a']),
  image('a JPEG XL picture', [0, '\0\0\0\x0cJXL ']),
  image('a JPEG 2000 picture', [0, '\0\0\0\x0cjP  ']),
  image('a JPEG 2000 picture', [0, '\xff\x4f\xff\x51']),
  image('a Photoshop picture', [0, '8BPS']),
  image('a PDF document', [0, '%PDF-']),
  video('an AVI video', [0, 'RIFF'], [8, 'AVI ']),
  video('a QuickTime video', [4, 'ftypqt  ']),
  video('an MP4 video', [4, 'ftyp']),
  video('a QuickTime video', [4, 'moov']),
  video('a QuickTime video', [4, 'mdat']),
  video('a QuickTime video', [4, 'wide']),
  video('a WebM or Matroska video', [0, '\x1a\x45\xdf\xa3']),
  video('an MPEG video', [0, '\0\0\x01\xba']),
  video('an MPEG video', [0, '\0\0\x01\xb3']),
  // Transport streams repeat their sync byte every 188 bytes.
  video('an MPEG transport stream', [0, 'G'], [188, 'G'], [376, 'G']),
  // Cameras write a timestamp of 4 bytes before each packet.
  video('an MPEG transport stream', [4, 'G'], [196, 'G'], [388, 'G']),
  video('an Ogg file', [0, 'OggS\0']),
  video('a Flash video', [0, 'FLV\x01']),
  video('a Windows Media video', [0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11']),
];

const SVG: FileKind = { name: 'an SVG drawing', isVideo: false };
/** Number of bytes that are searched for an `<svg` tag, which may follow comments and a doctype. */
const SVG_PROLOGUE_BYTES = 4096;

/** Whether the bytes at `offset` are `characters` in Latin-1. */
export const hasCharacters = (bytes: Uint8Array, offset: number, characters: string): boolean => {
  if (bytes.length < offset + characters.length) return false;
  for (let i = 0; i < characters.length; i++) {
    if (bytes[offset + i] !== characters.charCodeAt(i)) return false;
  }
  return true;
};

const isSvg = (bytes: Uint8Array): boolean => {
  const prologue = new TextDecoder().decode(bytes.subarray(0, SVG_PROLOGUE_BYTES)).trimStart();
  return prologue.startsWith('<') && /<svg[\s>]/i.test(prologue);
};

/**
 * Names a file by its content, where it is not read as an image.
 *
 * The file name is not reliable: phones name HEIC files `.jpg`, and people rename files.
 */
export const identifyFileKind = (bytes: Uint8Array): FileKind | undefined =>
  SIGNATURES.find(({ parts }) => parts.every(([offset, text]) => hasCharacters(bytes, offset, text))) ??
  (isSvg(bytes) ? SVG : undefined);

/** Whether the content is that of a video container. */
export const isVideo = (bytes: Uint8Array): boolean => identifyFileKind(bytes)?.isVideo ?? false;
