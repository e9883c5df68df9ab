import { Refusal } from './refusal';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads an address that a pack may be loaded from: https, and http from this machine alone, so that nobody on the way
 * sees or changes what is loaded.
 *
 * @throws {Refusal}
 */
export const readAddress = (text: string, base?: URL): URL => {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url) throw new Refusal(`${shorten(text)} is no address.`);
  const isOpen = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!isOpen) throw new Refusal(`${shorten(url.href)} is not loaded: packs come over https.`);
  if (url.username || url.password) throw new Refusal('An address with a password in it is not loaded.');
  return url;
};

/** @throws {Refusal} where a redirection leads from https to http */
export const followRedirection = (from: URL, location: string): URL => {
  const to = readAddress(location, from);
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new Refusal(`${shorten(from.href)} leads away from https, and is not followed.`);
  }
  return to;
};

export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

const LONGEST = 120;
const shorten = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
