import { lookup } from 'node:dns/promises';
import { BlockList, isIPv4 } from 'node:net';
import type { Config } from '../cli/config';
import { FlagError } from '../cli/flag';

/** Addresses that only this machine reaches (RFC 6890); IPv4 written as IPv6 counts as IPv4. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const isLoopback = (address: string): boolean => LOOPBACK.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/** All addresses of a name; where it has none, listening fails with a sentence of its own. */
const addressesOf = async (host: string): Promise<readonly string[]> => {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

/**
 * Prevents that files are served to a whole network by mistake.
 *
 * @throws FlagError where other machines could reach the server, and nothing says that they may
 */
export const refuseOpenExposure = async ({
  host,
  token,
  insecure,
}: Pick<Config, 'host' | 'token' | 'insecure'>): Promise<void> => {
  if (token !== undefined || insecure) return;
  const addresses = await addressesOf(host);
  if (addresses.every(isLoopback)) return;
  throw new FlagError(
    `Other machines can reach ${host}: set a token with --token or VEIL_TOKEN, or allow access without a token with --insecure.`,
  );
};
