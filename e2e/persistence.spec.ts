import type { BrowserContext, Page } from '@playwright/test';
import { downloadBy, drop, jpegFile, openApp, itemNamed, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { shortenReloadDelay } from './support/reload-delay';
import { smallSample, tinySample } from './support/samples';

/** All files of the page on disk, by name, with the text of JSON files and empty content for others. */
const filesOnDisk = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(async () => {
    const textOf = async (handle: FileSystemFileHandle): Promise<string> =>
      handle.name.endsWith('.json') ? (await handle.getFile()).text() : '';
    const filesIn = async (folder: FileSystemDirectoryHandle): Promise<Record<string, string>> => {
      const files: Record<string, string> = {};
      for await (const handle of folder.values()) {
        if (handle instanceof FileSystemDirectoryHandle) Object.assign(files, await filesIn(handle));
        else files[handle.name] = await textOf(handle as FileSystemFileHandle);
      }
      return files;
    };
    return filesIn(await navigator.storage.getDirectory());
  });
/** Also repeats a failed listing: a file can be removed while files are listed. */
const nothingOnDisk = (page: Page): Promise<void> =>
  expect(async () => expect(await filesOnDisk(page)).toEqual({})).toPass({ timeout: 90_000 });
/** A file exists from its first byte on; only the records show whether it is complete. */
const isStored = (page: Page, count: number): Promise<void> =>
  expect(async () => {
    const { pictures } = JSON.parse((await filesOnDisk(page))['library.json'] ?? '{}') as {
      readonly pictures: readonly { readonly isStored: boolean | null }[];
    };
    expect(pictures.filter((item) => item.isStored)).toHaveLength(count);
  }).toPass();

/** Holds the lock of the tab's folder for a while after the tab was left, as on a busy machine. */
const holdFolderAfter = async (page: Page, context: BrowserContext): Promise<void> => {
  const name = await page.evaluate(() => sessionStorage.getItem('veil-folder'));
  const other = await context.newPage();
  await other.goto('/openapi.json'); // has the same origin and no script
  await other.evaluate((lock) => {
    const hold = () => new Promise((resolve) => setTimeout(resolve, 3_000));
    void navigator.locks.request(lock ?? '', hold);
  }, name);
};

const keepSwitch = (page: Page) => page.getByRole('checkbox', { name: 'Keep after closing' });
const welcome = (page: Page) => page.getByRole('button', { name: 'Choose files' });

/** A file whose processing ends quickly: these tests concern only its storage. */
const noImage = (name: string) => jpegFile(name, new TextEncoder().encode('no image'));

test('a reload keeps originals and results unchanged, and continues with waiting files', async ({
  page,
  context,
}) => {
  await openApp(page);
  await drop(page, [jpegFile('done.jpg', await tinySample(5))]);
  await waitForStatus(page, 'done.jpg', 'done');
  const before = await readDownload(await downloadBy(page, 'Download'));
  await drop(page, [jpegFile('cut-off.jpg', await smallSample(6))]);
  await isStored(page, 2);
  await holdFolderAfter(page, context);
  await page.reload();

  await expect(itemNamed(page, 'done.jpg')).toHaveAttribute('data-status', 'done');
  await expect(page.getByTestId('stage')).toHaveAccessibleName('done.jpg, before and after');
  expect(before.equals(await readDownload(await downloadBy(page, 'Download')))).toBe(true);
  await waitForStatus(page, 'cut-off.jpg', 'done');

  await page.getByRole('link', { name: 'API' }).click();
  await expect(page.getByTestId('target')).toBeVisible();
  await page.goBack();
  await expect(itemNamed(page, 'cut-off.jpg')).toHaveAttribute('data-status', 'done');

  await page.getByRole('button', { name: 'Remove all' }).click();
  await nothingOnDisk(page);
  await page.reload();
  await expect(welcome(page)).toBeVisible();
});

test('closing the tab removes its files unless they are kept, and "Remove all files" removes kept files', async ({
  page,
  context,
}) => {
  await page.goto('/');
  await page.locator('html[data-api=page]').waitFor(); // the service worker is active by then
  await shortenReloadDelay(context);
  await drop(page, [noImage('private.jpg')]);
  await isStored(page, 1);
  const second = await context.newPage();
  await second.goto('/');
  await expect(welcome(second)).toBeVisible();
  expect(await filesOnDisk(second), 'another tab does not remove them').toHaveProperty(['library.json']);
  await page.close();
  await nothingOnDisk(second);

  await drop(second, [noImage('kept.jpg')]);
  await keepSwitch(second).check();
  await isStored(second, 1);
  const third = await context.newPage();
  await third.goto('/');
  await expect(welcome(third), 'only one tab has the kept files').toBeVisible();
  await drop(third, [noImage('other.jpg')]);
  await expect(keepSwitch(third)).toBeDisabled();
  await third.close();
  await second.close();

  const fourth = await context.newPage();
  await fourth.goto('/');
  await expect(itemNamed(fourth, 'kept.jpg')).toBeVisible();
  await expect(keepSwitch(fourth)).toBeChecked();
  await fourth.getByTestId('engine').click();
  await fourth.getByRole('button', { name: 'Remove all files' }).click();
  await nothingOnDisk(fourth);
});

/** Simulates a browser that discards a hidden tab: no script of the page runs any more, and its locks are free. */
const discard = async (page: Page): Promise<void> => {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
    document.documentElement.dataset['discarded'] = '';
  });
  await page.goto('about:blank');
};
/** Registered before the page's listeners, so that the page does not get the event: a discarded page gets none. */
const silenceDiscarded = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const silence = (event: Event): void => {
      if ('discarded' in document.documentElement.dataset) event.stopImmediatePropagation();
    };
    addEventListener('pagehide', silence);
  });

test('a discarded tab restores its files, even if another tab was opened before', async ({
  page,
  context,
}) => {
  await silenceDiscarded(page);
  await page.goto('/');
  await page.locator('html[data-api=page]').waitFor(); // the service worker is active by then
  await shortenReloadDelay(context);
  await drop(page, [noImage('private.jpg')]);
  await isStored(page, 1);
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    for (const name of ['veil-of-yesterday', 'veil-crashed']) {
      await root.getDirectoryHandle(name, { create: true });
    }
    localStorage.setItem('veil-hidden-since-veil-of-yesterday', String(Date.now() - 13 * 60 * 60 * 1000));
  });
  await discard(page);
  const second = await context.newPage();
  await second.goto('/');
  await expect(welcome(second), 'another tab does not get them').toBeVisible();
  const folders = (): Promise<string[]> =>
    second.evaluate(async () => {
      const names: string[] = [];
      for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
      return names;
    });
  await expect
    .poll(folders, 'the folder of a tab that does not come back is removed')
    .not.toContain('veil-of-yesterday');
  await expect.poll(folders).not.toContain('veil-crashed');

  await page.goto('/');
  await expect(itemNamed(page, 'private.jpg')).toBeVisible();
  await page.close();
  await nothingOnDisk(second);
  const notes = (): Promise<string[]> =>
    second.evaluate(() => Object.keys(localStorage).filter((key) => /^veil-hidden/.test(key)));
  await expect.poll(notes, 'the folder of a closed tab is not reserved').toEqual([]);
});
