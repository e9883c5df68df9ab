import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { verifyReport } from '#shared/report/verify-report';
import { isSignedBy, readPublicKey } from '../server/adapters/report-keys';
import { downloadBy, drop, jpegFile, openApp, itemNamed, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { smallSample } from './support/samples';

const COUNT = 300;

const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

test('of hundreds of files few are rendered, each can be reached, and processing stops while it is paused', async ({
  page,
}) => {
  const buffer = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  await openApp(page);
  const files = Array.from({ length: COUNT }, (_, i) => ({
    name: `${i}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }));
  await page.getByTestId('file-input').first().setInputFiles(files);
  await page.getByRole('button', { name: 'Pause' }).click();
  expect(await page.getByTestId('picture').count()).toBeLessThan(60);

  const list = page.getByRole('list').filter({ has: page.getByTestId('picture') });
  await list.evaluate((row) => row.scrollTo({ left: row.scrollWidth }));
  const last = itemNamed(page, `${COUNT - 1}.jpg`);
  await expect(last).toHaveAttribute('aria-posinset', String(COUNT));
  await expect(last).toHaveAttribute('data-status', 'waiting');
  await last.getByRole('button').first().click();
  await expect(page.getByTestId('stage')).toHaveAccessibleName(`${COUNT - 1}.jpg, before and after`);
  // The selected file is processed first.
  await page.getByRole('button', { name: 'Resume' }).click();
  await waitForStatus(page, `${COUNT - 1}.jpg`, 'done');
  await page.getByRole('button', { name: 'Remove all' }).click();
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
});

test('files are selected in the grid by mouse and keys, exported, processed again and removed', async ({
  page,
}) => {
  await openApp(page);
  const photo = await smallSample(5);
  await drop(
    page,
    ['a', 'b', 'c', 'd'].map((name) => jpegFile(`${name}.jpg`, photo)),
  );
  await page.getByRole('button', { name: 'Grid' }).click();
  const card = (name: string) => page.getByTestId('grid').getByRole('option', { name: `${name}.jpg` });
  const chosen = page.getByTestId('grid').getByRole('option', { selected: true });
  await card('a').click();
  await card('c').click({ modifiers: ['Shift'] });
  await expect(chosen).toHaveCount(3);
  await card('b').click({ modifiers: ['ControlOrMeta'] });
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(chosen).toHaveCount(2);
  for (const name of ['a', 'b', 'c', 'd']) {
    await expect(card(name)).toHaveAttribute('data-status', 'done', { timeout: 60_000 });
  }

  await page.getByRole('button', { name: 'Export 2' }).click();
  await page.getByRole('checkbox', { name: /^Masks/ }).check();
  await page.getByRole('checkbox', { name: /^Detections/ }).check();
  const archive = unzipSync(await readDownload(await downloadBy(page, 'Export 2')));
  expect(Object.keys(archive).sort()).toEqual(
    ['a', 'b']
      .flatMap((name) => [
        `${name}-anonymised.jpg`,
        `${name}-report.json`,
        `${name}.json`,
        `${name}_bin_mask.png`,
        `${name}_ins_mask.png`,
      ])
      .concat('report-public-key.pem'),
  );
  const key = readPublicKey(textOf(archive['report-public-key.pem']));
  for (const name of ['a', 'b']) {
    const result = archive[`${name}-anonymised.jpg`] ?? new Uint8Array();
    const file = { sha256: createHash('sha256').update(result).digest('hex'), size: result.length };
    const { sentence } = verifyReport(
      archive[`${name}-report.json`] ?? new Uint8Array(),
      file,
      key,
      isSignedBy,
    );
    expect(sentence).toBe('The file and the report match, and neither was modified.');
  }
  const { detections } = JSON.parse(new TextDecoder().decode(archive['a.json']));
  expect(detections.length).toBeGreaterThan(0);

  await page.getByTestId('grid').focus();
  await page.keyboard.press('Delete');
  await expect(page.getByTestId('card')).toHaveCount(2);
  await page.keyboard.press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Process again' }).click();
  await expect(card('d')).not.toHaveAttribute('data-status', 'done');
  await card('c').dblclick();
  await expect(page.getByTestId('stage')).toHaveAccessibleName('c.jpg, before and after');
});
