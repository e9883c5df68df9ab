import { expect, test } from 'vitest';
import { openApi } from './openapi';

test('openapi.json is up to date with the routes', async () => {
  await expect(`${JSON.stringify(openApi(), null, 2)}\n`).toMatchFileSnapshot('openapi.json');
});
