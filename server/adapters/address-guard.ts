import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** All addresses with the same first `prefixBits` bits. */
export interface AddressRange {
  readonly address: string;
  readonly prefixBits: number;
  readonly family: 'ipv4' | 'ipv6';
}

export interface AddressGuard {
  /** @param address an IP address in its canonical form; host names and other spellings are refused */
  allows(address: string): boolean;
}

/**
 * All IPv4 ranges that are not public: private, shared (CGNAT), loopback, link-local (with metadata services of
 * clouds), protocol assignments, documentation, benchmarks, 6to4 relays, multicast and reserved.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // A cloud's metadata service with a public address, which only its virtual machines can reach.
  '168.63.129.16/32',
];

/**
 * All IPv6 ranges that are not public: everything outside the global unicast block 2000::/3, and the parts of it that
 * embed other addresses or are not assigned.
 *
 * So loopback, mapped and translated IPv4 (NAT64), unique local, link-local and multicast need no entries.
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const CLOSED_IPV6 = [
  '::/3',
  '4000::/2',
  '8000::/1',
  // Teredo, ORCHID, benchmarks, AMT and other protocols.
  '2001::/23',
  '2001:db8::/32',
  // 6to4
  '2002::/16',
  '2620:4f:8000::/48',
  '3ffe::/16',
  '3fff::/20',
];

/** @returns undefined where `text` is neither an address nor a range such as `10.0.0.0/8` */
export const parseAddressRange = (text: string): AddressRange | undefined => {
  const [, address = '', prefix] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const isV4 = isIPv4(address);
  if (!isV4 && !isIPv6(address)) return undefined;
  const allBits = isV4 ? 32 : 128;
  const prefixBits = prefix === undefined ? allBits : Number(prefix);
  return prefixBits > allBits ? undefined : { address, prefixBits, family: isV4 ? 'ipv4' : 'ipv6' };
};

const listOf = (ranges: readonly AddressRange[]): BlockList => {
  const list = new BlockList();
  for (const { address, prefixBits, family } of ranges) list.addSubnet(address, prefixBits, family);
  return list;
};

const closed = (texts: readonly string[]): BlockList => listOf(texts.map((text) => parseAddressRange(text)!));

/**
 * Decides which addresses may be called for clients: public ones, and those that the operator has allowed.
 *
 * One block list for each address family: Node's lists treat an IPv4 address like its mapped IPv6 form, so a rule for
 * `::/3` would match all IPv4 addresses too.
 */
export const createAddressGuard = (allowed: readonly AddressRange[]): AddressGuard => {
  const [closedV4, closedV6] = [closed(CLOSED_IPV4), closed(CLOSED_IPV6)];
  const allowedV4 = listOf(allowed.filter(({ family }) => family === 'ipv4'));
  const allowedV6 = listOf(allowed.filter(({ family }) => family === 'ipv6'));
  return {
    allows: (address) => {
      if (isIPv4(address)) return allowedV4.check(address) || !closedV4.check(address);
      // An address with a zone (`fe80::1%eth0`) is bound to an interface and never public.
      if (!isIPv6(address) || address.includes('%')) return false;
      // A mapped IPv4 address leads to the same host as the IPv4 address.
      if (allowedV6.check(address, 'ipv6') || allowedV4.check(address, 'ipv6')) return true;
      return !closedV6.check(address, 'ipv6');
    },
  };
};
