import { Refusal } from './refusal';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Checks the address of a pack: https, or http on this machine. With other addresses, others on the network could read
 * or change the files.
 *
 * @throws {Refusal}
 */
export const readAddress = (text: string, base?: URL): URL => {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url) throw new Refusal(`${shorten(text)} is not an address.`);
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!isAllowed) throw new Refusal(`${shorten(url.href)} is not loaded: packs are loaded over https only.`);
  if (url.username || url.password) {
    throw new Refusal('An address that contains a user name or a password is not loaded.');
  }
  return url;
};

/** @throws {Refusal} if a redirection leads from https to http */
export const followRedirection = (from: URL, location: string): URL => {
  const to = readAddress(location, from);
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new Refusal(`${shorten(from.href)} redirects from https to http, which is not allowed.`);
  }
  return to;
};

export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

const LONGEST = 120;
const shorten = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
