import { readFileSync } from 'node:fs';
import { type Download, expect, type Locator, type Page } from '@playwright/test';

/** On two slow cores. The first photo also waits for the models. */
const DONE_LIMIT_MS = 180_000;

/** Opens the page and waits until its models are loaded. */
export const openApp = async (page: Page, origin = ''): Promise<void> => {
  await page.goto(`${origin}/`);
  await expect(page.getByTestId('engine')).toHaveAttribute('data-state', 'ready', { timeout: DONE_LIMIT_MS });
};

export interface DroppedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export const jpegFile = (name: string, bytes: Uint8Array): DroppedFile => ({
  name,
  type: 'image/jpeg',
  bytes,
});

/** Drops files on the page or on an element of it. */
export const drop = async (page: Page, files: readonly DroppedFile[], target = 'body'): Promise<void> => {
  const sent = files.map(({ name, type, bytes }) => ({
    name,
    type,
    base64: Buffer.from(bytes).toString('base64'),
  }));
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, type, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      data.items.add(new File([bytes], name, { type }));
    }
    return data;
  }, sent);
  await page.dispatchEvent(target, 'dragenter', { dataTransfer: transfer });
  await page.dispatchEvent(target, 'drop', { dataTransfer: transfer });
};

/** Drops a file or a folder of the disk, as a file manager does: no script of a page can create a folder. */
export const dropFromDisk = async (page: Page, path: string): Promise<void> => {
  const devTools = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devTools.send('Input.dispatchDragEvent', { type, x: 100, y: 200, data });
  }
};

/** The file in the filmstrip. */
export const itemNamed = (page: Page, name: string): Locator =>
  page.locator(`[data-testid=picture][data-name="${name}"]`);

/** Waits until a file has a status. If it fails instead, throws at once what the page says. */
export const waitForStatus = async (page: Page, name: string, status: 'done' | 'failed'): Promise<void> => {
  const item = itemNamed(page, name);
  const ends = new RegExp(`^(${status}|failed)$`);
  await expect(item).toHaveAttribute('data-status', ends, { timeout: DONE_LIMIT_MS });
  if ((await item.getAttribute('data-status')) === status) return;
  const said = await page.getByRole('status').allInnerTexts();
  throw new Error([`${name} has failed`, ...said].join('\n'));
};

export const readDownload = async (download: Download): Promise<Buffer> =>
  readFileSync(await download.path());

/** Presses a download button and returns the download. */
export const downloadBy = async (page: Page, button: string | RegExp): Promise<Download> => {
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  return started;
};

/** Lets the server process the files that are added from now on. */
export const selectServer = async (page: Page, token = ''): Promise<void> => {
  await page.getByTestId('engine').click();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Send my files to this server' }).click();
  // Files that are added before are processed in the tab.
  await expect(page.getByTestId('server-banner')).toBeVisible();
  await page.keyboard.press('Escape');
};
