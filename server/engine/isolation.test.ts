import { expect, it } from 'vitest';
import { findNetworkIsolation } from './isolation';

it('the first command that works is used', async () => {
  const candidates = [['/no-such-program'], ['env', '--'], ['sh', '-c']];
  expect(await findNetworkIsolation('linux', candidates)).toEqual(['env', '--']);
});

it('where no command works there is no prefix', async () => {
  expect(await findNetworkIsolation('linux', [['/no-such-program']])).toEqual([]);
});

it('other systems than Linux have none', async () => {
  expect(await findNetworkIsolation('darwin', [['env', '--']])).toEqual([]);
});
