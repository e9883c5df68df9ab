import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { violations } from './support/accessible';
import { downloadBy, drop, openApp, readDownload, selectServer } from './support/app';
import { expect, test } from './support/hosts';
import { BAG_FRAMES, makeDrive, readDrive } from './support/made-bag';
import { runProduct } from './support/run-product';

const NAME = 'drive.mcap';

const dropBag = (page: Page, bytes: Uint8Array, name = NAME): Promise<void> =>
  drop(page, [{ name, type: '', bytes }]);

const bag = (page: Page) => page.getByTestId('bag');
const untilState = (page: Page, state: string): Promise<void> =>
  expect(bag(page)).toHaveAttribute('data-state', state);
const choose = (page: Page, topic: string, choice: string) =>
  page.getByLabel(`What happens to ${topic}`, { exact: true }).selectOption({ label: choice });
const start = (page: Page) => page.getByRole('button', { name: 'Anonymise', exact: true });

/** The same bag by the command line. */
const byCommand = async (source: Uint8Array, flags: readonly string[]): Promise<Uint8Array> => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-bag-'));
  try {
    writeFileSync(join(folder, NAME), source);
    const run = runProduct(folder, [NAME, '-o', 'out', ...flags]);
    expect(await run.ended, run.printed()).toBe(0);
    return readFileSync(join(folder, 'out', NAME));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test.beforeEach(async ({ page }) => {
  // The dialog that asks where to save belongs to the system, so tests cannot operate it.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await openApp(page);
});

test('a bag that is dropped shows its topics, waits for a choice where one is needed, and becomes what the command line makes of it', async ({
  page,
}) => {
  const source = await makeDrive();
  await dropBag(page, source);
  await untilState(page, 'listed');

  const rows = page.getByTestId('topic');
  const kinds = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-kind')));
  expect(kinds).toEqual(['images', 'images', 'depth', 'unread', 'other']);
  await expect(rows.first()).toContainText('sensor_msgs/msg/Imagecdr · rgb8160 × 964 messages0.3 sec');
  await expect(rows.getByRole('img')).toHaveCount(2);
  expect(await violations(page)).toEqual([]);

  await expect(page.getByTestId('bag-undecided')).toContainText('/depth and /thermal');
  await expect(start(page)).toBeDisabled();
  await choose(page, '/depth', 'Leave out');
  await expect(start(page)).toBeDisabled();
  await choose(page, '/thermal', 'Keep, not anonymised');
  await choose(page, '/rear', 'Leave out');
  await page.getByLabel('Blacken', { exact: true }).check();
  await start(page).click();
  await untilState(page, 'done');
  await expect(page.getByTestId('bag-done')).toContainText(`${BAG_FRAMES} images of 1 topic anonymised.`);
  await expect(page.getByTestId('bag-done')).toContainText('Not anonymised: /thermal.');
  await expect(page.getByTestId('bag-done')).toContainText('left out: /rear and /depth.');
  expect(await violations(page)).toEqual([]);

  const download = await downloadBy(page, 'Download the bag');
  expect(download.suggestedFilename()).toBe('drive-anonymised.mcap');
  const [before, after] = [await readDrive(source), await readDrive(await readDownload(download))];
  expect(Object.keys(after).sort()).toEqual(['/front', '/points', '/thermal']);
  expect([after['/points'], after['/thermal']]).toEqual([before['/points'], before['/thermal']]);
  expect(after['/front']).toHaveLength(BAG_FRAMES);
  for (const [at, frame] of after['/front']!.entries()) {
    const changed = frame.filter((byte, index) => byte !== before['/front']![at]![index]);
    expect(changed.length).toBeGreaterThan(100);
    expect(new Set(changed)).toEqual(new Set([0]));
  }
  const flags = ['--method', 'blacken', '--keep-topic', '/thermal', '--drop-topic', '/rear'];
  const commanded = await readDrive(await byCommand(source, [...flags, '--drop-topic', '/depth']));
  expect(after['/front']).toEqual(commanded['/front']);

  await page.getByRole('button', { name: 'Close the bag' }).click();
  await expect(bag(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
});

for (const [width, height] of [
  [1280, 800],
  [1280, 720],
  [390, 844],
] as const) {
  test(`the button that anonymises a bag is in view without scrolling at ${width} × ${height} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await dropBag(page, await makeDrive());
    await untilState(page, 'listed');
    await expect(start(page)).toBeInViewport({ ratio: 1 });
    await selectServer(page); // its banner takes a line
    await expect(start(page)).toBeInViewport({ ratio: 1 });
  });
}

test('a part of a bag by time is what the result has', async ({ page }) => {
  await dropBag(page, await makeDrive(['/front', '/points']));
  await untilState(page, 'listed');
  await page.getByText('Part by time', { exact: true }).click();
  await page.getByLabel('From second').fill('0.1');
  await page.getByLabel('Before second').fill('0.05');
  await expect(page.getByTestId('bag-undecided')).toContainText('begins within the bag');
  await expect(start(page)).toBeDisabled();
  await page.getByLabel('Before second').fill('0.25');
  expect(await violations(page)).toEqual([]);
  await start(page).click();
  await untilState(page, 'done');
  const part = await readDrive(await readDownload(await downloadBy(page, 'Download the bag')));
  expect(Object.entries(part).map(([topic, messages]) => [topic, messages.length])).toEqual([
    ['/front', 2],
    ['/points', 2],
  ]);
});

test('report and log of a bag are saved next to it, signed', async ({ page }) => {
  await dropBag(page, await makeDrive(['/front', '/rear']));
  await untilState(page, 'listed');
  await choose(page, '/rear', 'Leave out');
  await start(page).click();
  await untilState(page, 'done');
  const download = await downloadBy(page, 'Download report and log');
  expect(download.suggestedFilename()).toBe('drive-report.zip');
  const files = unzipSync(await readDownload(download));
  expect(Object.keys(files)).toEqual([
    ...['drive-report.json', 'drive-redactions.csv', 'drive-report.html', 'report-public-key.pem'],
  ]);
  const textOf = (name: string): string => Buffer.from(files[name]!).toString();
  const result = await readDownload(await downloadBy(page, 'Download the bag'));
  expect(JSON.parse(textOf('drive-report.json'))).toMatchObject({
    filename: NAME,
    frames: { count: BAG_FRAMES },
    result: { content_type: 'application/vnd.mcap', size: result.length },
    signature: { algorithm: 'Ed25519' },
    warnings: expect.arrayContaining(['Topics that are left out: /rear.']),
  });
  expect(textOf('drive-redactions.csv')).toMatch(/^1,drive\.mcap,0,3,.*,face,blur,/m);
  expect(await violations(page)).toEqual([]);
});

test('a bag is anonymised in the tab while files are sent to a server, by keyboard alone', async ({
  page,
  context,
  origin,
}) => {
  await selectServer(page);
  const sent: string[] = [];
  context.on('request', (request) => {
    const { protocol, origin: host } = new URL(request.url());
    const isOwn = protocol === 'blob:' || (host === origin && request.method() === 'GET');
    if (!isOwn || new URL(request.url()).pathname.startsWith('/v1')) sent.push(request.url());
  });
  await page
    .getByTestId('file-input')
    .first()
    .setInputFiles([
      { name: 'first.mcap', mimeType: '', buffer: Buffer.from(await makeDrive(['/thermal'])) },
      { name: 'first.mcap', mimeType: '', buffer: Buffer.from(await makeDrive(['/thermal', '/depth'])) },
      { name: 'points.mcap', mimeType: '', buffer: Buffer.from(await makeDrive(['/points'])) },
    ]);
  await untilState(page, 'listed');
  await expect(bag(page)).toContainText('anonymised in this tab, also while files are sent to a server');
  await page.getByLabel('What happens to /thermal').focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('What happens to /thermal')).toHaveValue('drop');
  await start(page).focus();
  await page.keyboard.press('Enter');
  await untilState(page, 'done');
  await expect(page.getByRole('button', { name: 'Download the bag' })).toBeFocused();
  expect(sent).toEqual([]);

  // The next bag follows when this one is closed, and nothing is chosen for it.
  await page.getByRole('button', { name: 'Close the bag' }).click();
  await expect(page.getByTestId('bag-undecided')).toContainText('/thermal and /depth');
  await page.getByRole('button', { name: 'Close the bag' }).click();
  await expect(bag(page)).toContainText('No topic of this bag has images: there is nothing to anonymise.');
  await expect(start(page)).toHaveCount(0);
});

/** Files of tasks that the page has stored. */
const storedFiles = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const names: string[] = [];
    for await (const folder of (await navigator.storage.getDirectory()).values()) {
      if (!(folder instanceof FileSystemDirectoryHandle)) continue;
      for await (const name of folder.keys()) if (name.startsWith('task+')) names.push(name);
    }
    return names;
  });

test('a run that is stopped can be started again, and nothing stays stored of a bag that is closed', async ({
  page,
}) => {
  await dropBag(page, await makeDrive(['/front'], 300));
  await untilState(page, 'listed');
  await start(page).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await untilState(page, 'listed');
  await expect.poll(() => storedFiles(page)).toEqual([]);
  await start(page).click();
  await expect(page.getByTestId('bag-progress')).toContainText('of 300');
  await untilState(page, 'done');
  expect(await storedFiles(page)).not.toEqual([]);
  await page.getByRole('button', { name: 'Close the bag' }).click();
  await expect.poll(() => storedFiles(page)).toEqual([]);
});

test('a bag that cannot be read says why, in the language of the page', async ({ page }) => {
  const whole = await makeDrive(['/front']);
  await page.getByRole('banner').getByRole('combobox').selectOption('de');
  for (const [name, bytes, sentence] of [
    ['cut.mcap', whole.subarray(0, -30), 'Das Bag ist unvollständig: Es hat kein Ende.'],
    [
      'old.bag',
      Buffer.from('#ROSBAG V2.0\n'),
      'Die Datei ist ein Bag von ROS 1; wandeln Sie es zuerst in MCAP um',
    ],
    ['new.db3', Buffer.from('SQLite format 3\0'), 'Die Datei ist ein SQLite-Bag von ROS 2'],
  ] as const) {
    await dropBag(page, bytes, name);
    await expect(bag(page).getByRole('alert')).toContainText(sentence);
    await page.getByRole('button', { name: 'Bag schließen' }).click();
    await expect(bag(page)).toHaveCount(0);
  }
});

test('a bag that is too large for the storage of the browser is refused before it is read', async ({
  page,
}) => {
  await page.evaluate(() => {
    navigator.storage.estimate = async () => ({ quota: 70e6, usage: 0 });
  });
  await dropBag(page, Buffer.concat([await makeDrive(['/points']), new Uint8Array(3e6)]));
  await expect(bag(page).getByRole('alert')).toContainText('Use the command line: veil drive.mcap -o out');
});
