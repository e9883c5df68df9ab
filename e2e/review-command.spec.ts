import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { itemNamed, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { type ProductRun, runProduct } from './support/run-product';
import { tinySample } from './support/samples';

let folder: string;
let running: ProductRun | undefined;

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veil-review-'));
  for (const name of ['photos', 'tmp']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'photos/street.jpg'), await tinySample(1));
  writeFileSync(join(folder, 'photos/market.jpg'), await tinySample(2));
});
test.afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]): ProductRun =>
  runProduct(folder, args, { TMPDIR: join(folder, 'tmp'), DISPLAY: '', WAYLAND_DISPLAY: '' });

const batch = async (...args: string[]): Promise<void> => {
  const { ended, printed } = run(...args);
  expect(await ended, printed()).toBe(0);
};

/** Starts a review of `out`. @returns its address */
const startReview = async (...args: string[]): Promise<string> => {
  const started = run('review', 'out', ...args);
  running = started;
  await expect.poll(started.printed).toContain('Ctrl-C');
  return /http:\S+/.exec(started.printed())![0];
};

/** Ends the review by Ctrl-C. */
const endReview = async (): Promise<void> => {
  running?.child.kill('SIGINT');
  expect(await running?.ended, running?.printed()).toBe(0);
  expect(running?.printed()).not.toContain('searched again');
};

const result = (name: string): Buffer => readFileSync(join(folder, 'out', name));

const openReview = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await expect(page.getByTestId('review-banner')).toContainText('each edit is saved in the result folder');
  for (const name of ['market.jpg', 'street.jpg']) await waitForStatus(page, name, 'done');
};

const facts = (page: Page) => page.getByTestId('facts');

/** Checks that nothing but the printed address opens the review. */
const expectOnlyAddress = async (page: Page, address: string): Promise<void> => {
  const { origin } = new URL(address);
  for (const path of ['/review/files', '/v1/task/list']) {
    expect((await page.request.get(origin + path)).status(), path).toBe(401);
  }
  const other = await page.context().newPage();
  await other.goto(`${origin}/?review`);
  await expect(other.getByTestId('review-banner')).toContainText('Start it again with “veil review”');
  await other.close();
};

test('only its printed address opens a review, which shows the results of a run, and saves each edit with its result', async ({
  page,
}) => {
  await batch('photos', '-o', 'out', '--method', 'pixelate', '-a', 'face', '--save-mask', 'binary');
  const before = {
    street: result('street.jpg'),
    mask: result('street_bin_mask.png'),
    market: result('market.jpg'),
  };
  const address = await startReview('--no-open');
  await expectOnlyAddress(page, address);
  await openReview(page, address);
  expect(existsSync(join(folder, 'out/street.jpg.edits.json'))).toBe(false);

  await itemNamed(page, 'street.jpg').click();
  await expect(facts(page)).toContainText('3 faces');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByTestId('object').first().click();
  await page.getByRole('button', { name: 'Hidden', exact: true }).click();
  await expect(facts(page)).toContainText('2 faces');
  await page.screenshot({ path: test.info().outputPath('review.png') });

  expect(JSON.parse(result('street.jpg.edits.json').toString())).toMatchObject({
    method: 'pixelate',
    classes: ['face'],
    objects: [{ hidden: false }],
  });
  expect(result('street.jpg').equals(before.street)).toBe(false);
  expect(result('street_bin_mask.png').equals(before.mask)).toBe(false);
  expect(result('market.jpg').equals(before.market)).toBe(true);
  expect(readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.part'))).toEqual([]);

  await page.reload();
  await waitForStatus(page, 'street.jpg', 'done');
  await itemNamed(page, 'street.jpg').click();
  await expect(facts(page)).toContainText('2 faces');

  await endReview();
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  const flags = ['--method', 'pixelate', '-a', 'face', '--edits', 'out/street.jpg.edits.json'];
  await batch('photos/street.jpg', '-o', 'again', ...flags);
  expect(readFileSync(join(folder, 'again/street.jpg')).equals(result('street.jpg'))).toBe(true);
});

test('a review replaces the signed report of an edited result', { tag: '@slow' }, async ({ page }) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
  writeFileSync(join(folder, 'public.pem'), publicKey.export({ format: 'pem', type: 'spki' }));
  const verify = (): Promise<void> =>
    batch('verify', 'out/street-report.json', 'out/street.jpg', '--key', 'public.pem');
  await batch('photos', '-o', 'out', '-a', 'face', '--save-report', '--report-key', 'key.pem');
  await verify();
  const before = result('street-report.json');
  await openReview(page, await startReview('--no-open', '--report-key', 'key.pem'));
  await itemNamed(page, 'street.jpg').click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByTestId('object').first().click();
  await page.getByRole('button', { name: 'Hidden', exact: true }).click();
  await expect(facts(page)).toContainText('2 faces');
  await endReview();
  expect(result('street-report.json').equals(before)).toBe(false);
  await verify();
  writeFileSync(join(folder, 'out/street-report.json'), result('street-report.json').subarray(1));
  const { ended, printed } = run('verify', 'out/street-report.json', 'out/street.jpg');
  expect([await ended, printed()]).toEqual([
    1,
    'The report was modified, or it is no report: it is not valid JSON.\n',
  ]);
});

test(
  'a later review shows the saved edits, and the next run keeps the result',
  { tag: '@slow' },
  async ({ page }) => {
    const flags = ['photos', '-o', 'out', '-a', 'face'];
    await batch(...flags);
    writeFileSync(join(folder, 'out/street.jpg.edits.json'), '{"objects":[{"id":0,"hidden":false}]}');
    const before = result('street.jpg');
    await openReview(page, await startReview('--no-open', 'photos'));
    await itemNamed(page, 'street.jpg').click();
    await expect(facts(page)).toContainText('2 faces');
    expect(result('street.jpg').equals(before)).toBe(true);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByTestId('object').nth(1).click();
    await page.getByRole('button', { name: 'Hidden', exact: true }).click();
    await expect(facts(page)).toContainText('1 face');
    await endReview();
    const edited = result('street.jpg');
    expect(edited.equals(before)).toBe(false);
    await batch(...flags);
    expect(result('street.jpg').equals(edited)).toBe(true);
  },
);

// Its other sentences: `server/review/list-results.test.ts`.
test('a review that cannot start explains why in one sentence', async () => {
  const { ended, printed } = run('review', 'photos');
  expect([await ended, printed()]).toEqual([
    1,
    'The folder photos has no list of results (.veil-batch.jsonl): name the --output folder of a run over files.\n',
  ]);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});
