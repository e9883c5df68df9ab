import { isIPv4 } from 'node:net';

/** A name, an IPv4 address, or an IPv6 address in brackets, each with or without a port; no user, path or escape. */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i;
/** Binds a link-local address to an interface; URLs have no place for it. */
const ZONE = /%[^\]]*(?=\])/;

/**
 * Reads what a `Host` header or a URL names as its server.
 *
 * The URL parser brings a host into the one form that browsers use: lower case, `0x7f.1` as `127.0.0.1`, IPv6 as short
 * as it gets. It would also accept `evil@localhost` and `local%68ost`, so what may stand here is checked before.
 *
 * @param protocol its default port is left away
 * @returns undefined for anything but a host and a port
 */
export const parseAuthority = (text: string, protocol = 'http:'): URL | undefined => {
  const address = text.replace(ZONE, '');
  const url = `${protocol}//${address}`;
  return AUTHORITY.test(address) && URL.canParse(url) ? new URL(url) : undefined;
};

/** `localhost.` and `localhost` are one name: the dot says that no search domain is to be added. */
export const hostNameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');

/** An address reaches one machine, whatever a name server says: DNS rebinding needs a name. */
export const isAddress = (hostName: string): boolean => hostName.startsWith('[') || isIPv4(hostName);

/** Names that every resolver keeps on this machine (RFC 6761, section 6.3). */
export const isLoopbackName = (hostName: string): boolean => /(?:^|\.)localhost$/.test(hostName);
