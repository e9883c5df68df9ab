import { hasCharacters, identifyFileKind } from '../../domain/file-kind';
import { UnreadableFile } from '../../domain/unreadable-file';

/** The first bytes of each PNG file (PNG specification, section 5.2). */
export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';
const JPEG_START = '\xff\xd8\xff';

const SUPPORTED = 'JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP and GIF pictures are supported';

/** Whether a file is a JPEG, by its first bytes. Here, beside its reader, because hosts need only this. */
export const isJpeg = (bytes: Uint8Array): boolean => hasCharacters(bytes, 0, JPEG_START);

export const isPng = (bytes: Uint8Array): boolean => hasCharacters(bytes, 0, PNG_SIGNATURE);

/** Why a file that is no supported image is refused. @param bytes its first bytes are enough */
export const unsupported = (bytes: Uint8Array): UnreadableFile => {
  if (bytes.length === 0) return new UnreadableFile('The file is empty.');
  const kind = identifyFileKind(bytes);
  return new UnreadableFile(
    kind ? `The file is ${kind.name}; ${SUPPORTED}.` : `The file is not a picture; ${SUPPORTED}.`,
  );
};
