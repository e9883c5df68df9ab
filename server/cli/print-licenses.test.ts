import { join } from 'node:path';
import { expect, it } from 'vitest';
import { printLicenses } from './print-licenses';
import { temporaryFolder } from '../testing/temporary-folder';

it('prints the notices of packages and models with the texts of their licences', async () => {
  let printed = '';
  await printLicenses(join(import.meta.dirname, '../..'), (text) => (printed += text));
  expect(printed).toMatch(/^# Third-party notices\n/);
  expect(printed).toContain('| @napi-rs/webcodecs-* | GPL-2.0-or-later |');
  expect(printed).toContain('# Third-party notices: models');
  expect(printed).toContain('GNU GENERAL PUBLIC LICENSE');
});

it('fails if notices are missing', async () => {
  await expect(printLicenses(temporaryFolder(), () => undefined)).rejects.toMatchObject({ code: 'ENOENT' });
});
