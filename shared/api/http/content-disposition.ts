import { sanitiseFilename } from './filename';

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
