import { lookup } from 'node:dns/promises';
import { BlockList, isIPv4 } from 'node:net';
import { tokensOf, type TokenSettings } from '../adapters/access';
import type { Config } from '../cli/config';
import { FlagError } from '../cli/flag';
import { tokenWarnings } from '../cli/token-flags';

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

/** Tells the operator of weak tokens, on the standard error output. */
export const warnOfTokens = (settings: TokenSettings): void => {
  for (const warning of tokenWarnings(settings)) process.stderr.write(`${warning}\n`);
};

/**
 * Prevents that files are served to a whole network by mistake.
 *
 * @throws FlagError where other machines could reach the server, and nothing says that they may
 */
export const refuseOpenExposure = async (
  config: Pick<Config, 'host' | 'token' | 'tokens' | 'insecure'>,
): Promise<void> => {
  const { host, insecure } = config;
  if (tokensOf(config).length > 0 || insecure) return;
  const addresses = await addressesOf(host);
  if (addresses.every(isLoopback)) return;
  throw new FlagError(
    `Other machines can reach ${host}: set a token with --token or VEIL_TOKEN, or allow access without a token with --insecure.`,
  );
};
