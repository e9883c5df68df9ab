/** A kind of file, recognised by its first bytes, with a name for messages: `a GIF picture`. */
export interface FileKind {
  readonly name: string;
  readonly isVideo: boolean;
}

/** These characters (Latin-1) are at byte `offset` of the file. */
interface Signature extends FileKind {
  readonly parts: readonly (readonly [offset: number, characters: string])[];
}

const picture = (name: string, ...parts: Signature['parts']): Signature => ({ name, isVideo: false, parts });
const video = (name: string, ...parts: Signature['parts']): Signature => ({ name, isVideo: true, parts });

/** The first match names the file, so that special signatures are before general ones. */
const SIGNATURES: readonly Signature[] = [
  picture('a GIF picture', [0, 'GIF8']),
  picture('a WebP picture', [0, 'RIFF'], [8, 'WEBP']),
  picture('an AVIF picture', [4, 'ftypavif']),
  picture('an AVIF picture', [4, 'ftypavis']),
  picture('a HEIC picture', [4, 'ftyphei']),
  picture('a HEIC picture', [4, 'ftyphev']),
  picture('a HEIC picture', [4, 'ftypmif1']),
  picture('a HEIC picture', [4, 'ftypmsf1']),
  picture('a Canon raw picture', [4, 'ftypcrx']),
  picture('a TIFF picture', [0, 'II*\0']),
  picture('a TIFF picture', [0, 'MM\0*']),
  picture('a TIFF picture', [0, 'II+\0']),
  picture('a TIFF picture', [0, 'MM\0+']),
  // A bitmap's reserved field is zero: text that begins with "BM" does not match.
  picture('a BMP picture', [0, 'BM'], [6, '\0\0\0\0']),
  picture('an icon', [0, '\0\0\x01\0']),
  picture('a JPEG XL picture', [0, '\xff\x0a']),
  picture('a JPEG XL picture', [0, '\0\0\0\x0cJXL ']),
  picture('a JPEG 2000 picture', [0, '\0\0\0\x0cjP  ']),
  picture('a JPEG 2000 picture', [0, '\xff\x4f\xff\x51']),
  picture('a Photoshop picture', [0, '8BPS']),
  picture('a PDF document', [0, '%PDF-']),
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
  // Cameras put a time of 4 bytes before each packet.
  video('an MPEG transport stream', [4, 'G'], [196, 'G'], [388, 'G']),
  video('an Ogg file', [0, 'OggS\0']),
  video('a Flash video', [0, 'FLV\x01']),
  video('a Windows Media video', [0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11']),
];

const SVG: FileKind = { name: 'an SVG drawing', isVideo: false };
/** Bytes of a file that are searched for an `<svg` tag, behind comments and a doctype. */
const SVG_PROLOGUE_BYTES = 4096;

/** Whether `characters` (Latin-1) stand at `offset`. */
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
 * Names a file that is not JPEG or PNG by its content.
 *
 * The file name is not reliable: phones name HEIC files `.jpg`, and people rename files.
 */
export const identifyFileKind = (bytes: Uint8Array): FileKind | undefined =>
  SIGNATURES.find(({ parts }) => parts.every(([offset, text]) => hasCharacters(bytes, offset, text))) ??
  (isSvg(bytes) ? SVG : undefined);

/** Whether the content is a video container's. */
export const isVideo = (bytes: Uint8Array): boolean => identifyFileKind(bytes)?.isVideo ?? false;
