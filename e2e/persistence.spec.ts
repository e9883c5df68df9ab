import type { BrowserContext, Page } from '@playwright/test';
import {
  downloadBy,
  drop,
  jpegFile,
  openApp,
  pictureNamed,
  readDownload,
  waitForStatus,
} from './support/app';
import { expect, test } from './support/hosts';
import { shortenReloadDelay } from './support/reload-delay';
import { smallSample } from './support/samples';

/** All files that the page has on disk, by name: the text of records, nothing of others. */
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
/** Tries again also where listing fails, as it does for a file that is removed while files are listed. */
const nothingOnDisk = (page: Page): Promise<void> =>
  expect(async () => expect(await filesOnDisk(page)).toEqual({})).toPass({ timeout: 30_000 });
/** A file is there from the first byte on; what is whole, the records say. */
const isStored = (page: Page, count: number): Promise<void> =>
  expect(async () => {
    const { pictures } = JSON.parse((await filesOnDisk(page))['library.json'] ?? '{}') as {
      readonly pictures: readonly { readonly isStored: boolean | null }[];
    };
    expect(pictures.filter((picture) => picture.isStored)).toHaveLength(count);
  }).toPass();

/** Makes the tab's folder come free only a while after the tab has been left, as on a machine with much to do. */
const holdFolderAfter = async (page: Page, context: BrowserContext): Promise<void> => {
  const name = await page.evaluate(() => sessionStorage.getItem('veil-folder'));
  const other = await context.newPage();
  await other.goto('/openapi.json'); // of the same origin, without a script of ours
  await other.evaluate((lock) => {
    const hold = () => new Promise((resolve) => setTimeout(resolve, 3_000));
    void navigator.locks.request(lock ?? '', hold);
  }, name);
};

const keepSwitch = (page: Page) => page.getByRole('checkbox', { name: 'Keep after closing' });
const welcome = (page: Page) => page.getByRole('button', { name: 'Choose files' });

/** Quickly dealt with: what matters is that it stays. */
const noPicture = (name: string) => jpegFile(name, new TextEncoder().encode('no picture'));

test('a reload keeps originals and results, byte by byte, and goes on with what waits', async ({
  page,
  context,
}) => {
  await openApp(page);
  await drop(page, [jpegFile('done.jpg', await smallSample(5))]);
  await waitForStatus(page, 'done.jpg', 'done');
  const before = await readDownload(await downloadBy(page, 'Download'));
  await drop(page, [jpegFile('cut-off.jpg', await smallSample(6))]);
  await isStored(page, 2);
  await holdFolderAfter(page, context);
  await page.reload();

  await expect(pictureNamed(page, 'done.jpg')).toHaveAttribute('data-status', 'done');
  await expect(page.getByTestId('stage')).toHaveAccessibleName('done.jpg, before and after');
  expect(before.equals(await readDownload(await downloadBy(page, 'Download')))).toBe(true);
  await waitForStatus(page, 'cut-off.jpg', 'done');

  await page.getByRole('link', { name: 'API' }).click();
  await expect(page.getByTestId('target')).toBeVisible();
  await page.goBack();
  await expect(pictureNamed(page, 'cut-off.jpg')).toHaveAttribute('data-status', 'done');

  await page.getByRole('button', { name: 'Remove all' }).click();
  await nothingOnDisk(page);
  await page.reload();
  await expect(welcome(page)).toBeVisible();
});

test('closing the tab removes its pictures, unless they are to be kept; clearing removes those, too', async ({
  page,
  context,
}) => {
  await page.goto('/');
  await page.locator('html[data-api=page]').waitFor(); // by then the service worker is there
  await shortenReloadDelay(context);
  await drop(page, [noPicture('private.jpg')]);
  await isStored(page, 1);
  const second = await context.newPage();
  await second.goto('/');
  await expect(welcome(second)).toBeVisible();
  expect(await filesOnDisk(second), 'another tab leaves them alone').toHaveProperty(['library.json']);
  await page.close();
  await nothingOnDisk(second);

  await drop(second, [noPicture('kept.jpg')]);
  await keepSwitch(second).check();
  await isStored(second, 1);
  const third = await context.newPage();
  await third.goto('/');
  await expect(welcome(third), 'one tab has them').toBeVisible();
  await drop(third, [noPicture('other.jpg')]);
  await expect(keepSwitch(third)).toBeDisabled();
  await third.close();
  await second.close();

  const fourth = await context.newPage();
  await fourth.goto('/');
  await expect(pictureNamed(fourth, 'kept.jpg')).toBeVisible();
  await expect(keepSwitch(fourth)).toBeChecked();
  await fourth.getByTestId('engine').click();
  await fourth.getByRole('button', { name: 'Remove all files' }).click();
  await nothingOnDisk(fourth);
});

/** The browser lets go of a tab that nobody looks at: nothing of the page runs any more, its locks are free. */
const discard = async (page: Page): Promise<void> => {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
    document.documentElement.dataset['discarded'] = '';
  });
  await page.goto('about:blank');
};
/** Before the page listens: it is not told that it goes. */
const silenceDiscarded = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const silence = (event: Event): void => {
      if ('discarded' in document.documentElement.dataset) event.stopImmediatePropagation();
    };
    addEventListener('pagehide', silence);
  });

test('a tab that the browser let go of finds its pictures again, even if another was opened meanwhile', async ({
  page,
  context,
}) => {
  await silenceDiscarded(page);
  await page.goto('/');
  await page.locator('html[data-api=page]').waitFor(); // by then the service worker is there
  await shortenReloadDelay(context);
  await drop(page, [noPicture('private.jpg')]);
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
  await expect.poll(folders, 'what nobody comes back to is removed').not.toContain('veil-of-yesterday');
  await expect.poll(folders).not.toContain('veil-crashed');

  await page.goto('/');
  await expect(pictureNamed(page, 'private.jpg')).toBeVisible();
  await page.close();
  await nothingOnDisk(second);
  const notes = await second.evaluate(() =>
    Object.keys(localStorage).filter((key) => /^veil-hidden/.test(key)),
  );
  expect(notes, 'a tab that is closed is not expected back').toEqual([]);
});
