import { expect, test } from 'vitest';
import { openApi } from './openapi';

test('openapi.json is the description that the routes give', async () => {
  await expect(`${JSON.stringify(openApi(), null, 2)}\n`).toMatchFileSnapshot('openapi.json');
});
