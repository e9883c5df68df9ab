import { expect, it } from 'vitest';
import { formatsPage } from './formats-page';

it('docs/limits/formats.md lists the formats of the table', async () => {
  await expect(formatsPage('en')).toMatchFileSnapshot('../../docs/limits/formats.md');
});
