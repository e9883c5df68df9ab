import { sanitiseFilename } from './filename';

/** Characters that no program between here and the disk reads as anything but themselves. */
const NOT_PLAIN = /[^\w .()+,=@-]/gu;
/** What `encodeURIComponent` leaves and RFC 8187 does not allow. */
const NOT_ATTRIBUTE = /['()*]/g;

const percentEncoded = (name: string): string =>
  encodeURIComponent(name).replace(
    NOT_ATTRIBUTE,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Suggests a name to save a file under: in ASCII, and as it is where that differs.
 *
 * The name is a client's, and may be hostile: it cannot end the header, lead out of a folder, or hide the file.
 * `inline`, so that a browser shows a picture where it stands.
 *
 * @see RFC 6266, RFC 8187
 */
export const contentDisposition = (name: string): string => {
  const safe = sanitiseFilename(name, '').replace(/^[.\s]+/, '') || 'file';
  const plain = safe.replace(NOT_PLAIN, '_');
  const exact = plain === safe ? '' : `; filename*=UTF-8''${percentEncoded(safe)}`;
  return `inline; filename="${plain}"${exact}`;
};
