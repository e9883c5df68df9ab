import { describe, expect, it } from 'vitest';
import { defaultSettings, serverConfig, type Config } from './cli/config';
import { requireTokenForPublicHost } from './serve';
import { FlagError } from './cli/flag';

const start = (
  host: string,
  changes: Partial<Pick<Config, 'token' | 'tokens' | 'insecure'>> = {},
): Promise<void> => requireTokenForPublicHost({ ...serverConfig(defaultSettings()), host, ...changes });

describe('a server without a token', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', 'localhost'])(
    'listens on %s, which only this machine reaches',
    async (host) => {
      await expect(start(host)).resolves.toBeUndefined();
    },
  );

  it.each(['0.0.0.0', '::', '192.168.1.5', '::ffff:10.0.0.1', 'fe80::1', '128.0.0.1'])(
    'does not listen on %s, which others reach',
    async (host) => {
      await expect(start(host)).rejects.toThrow(
        new FlagError(
          `Other machines can reach ${host}: set a token with --token or VEIL_TOKEN, or allow access without a token with --insecure.`,
        ),
      );
    },
  );

  it('listens anywhere where that is asked for', async () => {
    await expect(start('0.0.0.0', { insecure: true })).resolves.toBeUndefined();
  });
});

it('a server with a token of any scope listens anywhere', async () => {
  const tokens = [{ token: 'a', scopes: ['metrics'] as const }];
  await expect(start('0.0.0.0', { tokens })).resolves.toBeUndefined();
});

it('a server with a token listens anywhere', async () => {
  await expect(start('0.0.0.0', { token: 'a' })).resolves.toBeUndefined();
});
