import { LIMITS } from '../../domain/limits';
import type { MaskKind } from '../../ports/engine';
import { FORMATS, formatOfType } from '../../catalogue/formats';

/** Control characters, lone surrogates and marks that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Shortens a name, without breaking its extension or a character. */
const shorten = (name: string): string => {
  const characters = [...name];
  if (characters.length <= LIMITS.maxFilenameChars) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : [];
  return [...characters.slice(0, LIMITS.maxFilenameChars - extension.length), ...extension].join('');
};

/**
 * The name of an upload for reports: without folders (`/` and `\`), without control characters, and of limited length.
 *
 * @param fallback name of a file that was sent without a usable name
 */
export const sanitiseFilename = (sent: string | null, fallback: string): string => {
  const name = (sent ?? '')
    .replace(/^.*[/\\]/s, '')
    .replace(UNPRINTABLE, '')
    .trim();
  return /^\.*$/.test(name) ? fallback : shorten(name);
};

/** Characters outside the set that has no special meaning for any program or file system. */
const NOT_PLAIN = /[^\w .()+,=@-]/gu;
/** Characters that `encodeURIComponent` does not encode and RFC 8187 does not allow. */
const NOT_ATTRIBUTE = /['()*]/g;

const percentEncoded = (name: string): string =>
  encodeURIComponent(name).replace(
    NOT_ATTRIBUTE,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * A header that suggests a name for saving a file: in ASCII, and the exact name too if it differs.
 *
 * The name comes from a client and may be hostile. It cannot end the header, lead out of a folder or hide the file.
 * The type is `inline`, so that a browser shows an image instead of saving it.
 *
 * @see RFC 6266, RFC 8187
 */
export const contentDisposition = (name: string): string => {
  const safe = sanitiseFilename(name, '').replace(/^[.\s]+/, '') || 'file';
  const plain = safe.replace(NOT_PLAIN, '_');
  const exact = plain === safe ? '' : `; filename*=UTF-8''${percentEncoded(safe)}`;
  return `inline; filename="${plain}"${exact}`;
};

const split = (name: string): { readonly stem: string; readonly extension: string } => {
  const [, stem = name, extension = ''] = /^(.+?)(?:\.([^.]*))?$/s.exec(name) ?? [];
  return { stem, extension };
};

/** Marks the result of the beginning of a video, so that nobody takes it for the whole. @param seconds its length */
export const previewMark = (seconds: number | undefined): string =>
  seconds === undefined ? '' : `-preview-${seconds}s`;

/**
 * `street.jpeg` → `street-anonymised.jpeg`, and `trip.mov` → `trip-preview-3s-anonymised.mp4`. It differs from the original's name, so that saving it does not overwrite
 * the original. The extension matches the actual format.
 */
export const anonymisedName = (name: string, mediaType: string, preview?: number): string => {
  const { stem, extension } = split(name);
  const format = formatOfType(mediaType);
  const isKept = format === 'jpeg' && /^jpe?g$/i.test(extension);
  const kept = isKept ? extension : FORMATS[format].extensions[0];
  return `${stem}${previewMark(preview)}-anonymised.${kept}`;
};

const MASK_SUFFIXES = { binary: 'bin', instance: 'ins' } as const satisfies Record<MaskKind, string>;

/** `street.jpeg` → `street_bin_mask.png`, the same name as in batch mode. */
export const maskName = (name: string, kind: MaskKind): string =>
  `${split(name).stem}_${MASK_SUFFIXES[kind]}_mask.png`;

/** `street.jpeg` → `street-report.json` */
export const reportName = (name: string, extension: string): string =>
  `${split(name).stem}-report.${extension}`;

/** `street.jpeg` → `street-redactions.csv` */
export const logName = (name: string, extension: string): string =>
  `${split(name).stem}-redactions.${extension}`;

/** `street.jpeg` → `street.json` */
export const metadataName = (name: string): string => `${split(name).stem}.json`;
