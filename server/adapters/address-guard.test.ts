import { describe, expect, test } from 'vitest';
import { createAddressGuard, parseAddressRange } from './address-guard';

const guardWith = (...ranges: string[]) => createAddressGuard(ranges.map((text) => parseAddressRange(text)!));
const guard = guardWith();

/** First and last address of each closed range, and known dangerous addresses inside. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  'private 10/8': ['10.0.0.0', '10.255.255.255'],
  'private 172.16/12': ['172.16.0.0', '172.31.255.255'],
  'private 192.168/16': ['192.168.0.0', '192.168.255.255'],
  'shared by carriers (CGNAT)': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255'],
  'link-local': ['169.254.0.0', '169.254.255.255'],
  'metadata of clouds': [
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd20:ce::254',
  ],
  'protocol assignments': ['192.0.0.0', '192.0.0.255', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  benchmarks: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  '6to4 relays': ['192.88.99.1'],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1', 'ffff::1'],
  'reserved and broadcast': ['240.0.0.0', '255.255.255.255'],
  'IPv6 loopback and unspecified': ['::', '::1', '0:0:0:0:0:0:0:1'],
  'IPv4 in IPv6, compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  'IPv4 in IPv6, mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '0:0:0:0:0:FFFF:a00:1'],
  'IPv4 in IPv6, translated': ['::ffff:0:127.0.0.1', '::ffff:0:a00:1'],
  'NAT64, of all and of one network': ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::10.0.0.1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:a9fe:a9fe::'],
  Teredo: ['2001::1', '2001:0:7f00:1::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  'other IPv6 protocols': ['100::1', '2001:1::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1', '5f00::1'],
  'AS112 and the 6bone': ['2620:4f:8000::1', '3ffe::1'],
  'unique local': ['fc00::1', 'fdff:ffff::1'],
  'link-local IPv6, with and without zone': ['fe80::1', 'febf::1', 'fe80::1%eth0', '2606:4700::1%eth0'],
  'site-local': ['fec0::1', 'feff::1'],
  'not assigned': ['1fff:ffff::1', '4000::1', '8000::1', 'fe00::1'],
};

describe.each(Object.entries(CLOSED))('%s', (_name, addresses) => {
  test.each(addresses)('%s may not be called', (address) => {
    expect(guard.allows(address)).toBe(false);
  });
});

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...[
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.0.1',
  ],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '168.63.129.15'],
  ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700:4700::1111', '3fff:1000::1'],
])('%s, a public address, may be called', (address) => {
  expect(guard.allows(address)).toBe(true);
});

test.each([
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '[::1]',
  '1.2.3.4:80',
  '1.2.3.4 ',
])('text that is not an address in its canonical form may not be called: %j', (text) =>
  expect(guard.allows(text)).toBe(false),
);

describe('a range that the operator allows', () => {
  test('may be called, and the addresses next to it may not', () => {
    const { allows } = guardWith('127.0.0.0/8', '10.1.0.0/16', 'fd00:1::/32', '192.168.7.9');
    const tried = ['127.8.8.8', '10.1.255.1', 'fd00:1::9', '192.168.7.9', '8.8.8.8'];
    expect(tried.filter((address) => !allows(address))).toEqual([]);
    const nextTo = ['10.2.0.0', '::1', 'fd00:2::1', '192.168.7.8', '169.254.169.254', '::127.0.0.1'];
    expect(nextTo.filter(allows)).toEqual([]);
  });

  test('includes IPv4-mapped IPv6 addresses, and no other forms that contain an IPv4 address', () => {
    const { allows } = guardWith('127.0.0.0/8');
    expect(allows('::ffff:127.0.0.1')).toBe(true);
    expect(allows('::ffff:10.0.0.1')).toBe(false);
    expect(allows('64:ff9b::127.0.0.1')).toBe(false);
  });

  test('of one address family opens no address of the other', () => {
    expect(guardWith('::/0').allows('10.0.0.1')).toBe(false);
    expect(guardWith('0.0.0.0/0').allows('fd00::1')).toBe(false);
  });
});

test('ranges are parsed with and without a prefix length', () => {
  expect(parseAddressRange('10.0.0.0/8')).toEqual({ address: '10.0.0.0', prefixBits: 8, family: 'ipv4' });
  expect(parseAddressRange('10.0.0.1')).toEqual({ address: '10.0.0.1', prefixBits: 32, family: 'ipv4' });
  expect(parseAddressRange('FD00::/8')).toEqual({ address: 'FD00::', prefixBits: 8, family: 'ipv6' });
  expect(parseAddressRange('::1')).toEqual({ address: '::1', prefixBits: 128, family: 'ipv6' });
});

test.each([
  '',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10/8',
  'localhost/8',
  'fe80::1%1/64',
  '/8',
])('text that is neither an address nor a range is refused: %j', (text) =>
  expect(parseAddressRange(text)).toBeUndefined(),
);
