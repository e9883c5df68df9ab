import type { Page } from '@playwright/test';
import { jsonOf, type Send } from '#shared/testing/conformance';
import { putEdits } from '#shared/testing/conformance-edits';
import { get } from '#shared/testing/conformance-steps';
import { violations } from './support/accessible';
import {
  downloadBy,
  drop,
  jpegFile,
  openApp,
  readDownload,
  selectServer,
  waitForStatus,
} from './support/app';
import { expect, test } from './support/hosts';
import { sendByHttp } from './support/send';
import { tinySample } from './support/samples';
import { startTinyServer } from './support/tiny-product';

const CLERK = 'clerk-0123456789abcdef';
const REVIEWER = 'reviewer-0123456789abcdef';
const FLAGS = ['--release-gate', '--tokens', `upload,read ${CLERK}; upload,read,list,edit ${REVIEWER}`];

/** Draws an area on each result of the server, as a reviewer. */
const editAll = async (origin: string): Promise<void> => {
  const send: Send = (request) =>
    sendByHttp(origin)({ ...request, headers: { ...request.headers, authorization: `Bearer ${REVIEWER}` } });
  for (const { id } of jsonOf<readonly { id: string }[]>(await get(send, '/v1/task/list'))) {
    const areas = [{ type_label: 'face', shape: 'box', bbox: [1, 1, 9, 9] }];
    expect((await putEdits(send, id, { areas })).status).toBe(200);
  }
};

const release = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('results wait until a reviewer, who sees them before, releases them; an edit revokes that', async ({
  page,
  context,
}) => {
  const server = await startTinyServer(FLAGS);
  try {
    await openApp(page, server.origin);
    await selectServer(page, CLERK);
    await drop(page, [jpegFile('clerk.jpg', await tinySample(5))]);
    await expect(page.getByTestId('stage')).toContainText('Waits for a reviewer');

    // Its selection of a server and its token belong to the tab.
    const desk = await context.newPage();
    await openApp(desk, server.origin);
    await selectServer(desk, REVIEWER);
    const tags: (string | undefined)[] = [];
    desk.on('request', (request) => {
      const isRelease = request.method() === 'POST' && request.url().includes('/release');
      if (isRelease) tags.push(request.headers()['if-match']);
    });
    await desk.getByTestId('engine').click();
    const waiting = desk.getByTestId('waiting-result');
    await expect(waiting).toHaveCount(1);
    await waiting.getByText('Look at clerk.jpg').click();
    await expect(waiting.getByRole('img')).toHaveJSProperty('complete', true);
    expect(await violations(desk)).toEqual([]);
    // Another reviewer changes the result meanwhile.
    await editAll(server.origin);
    await release(desk, 'Release clerk.jpg').click();
    await expect(waiting.getByRole('alert')).toContainText('Somebody has changed this result');
    // It is shown again first.
    await expect(async () => {
      await release(desk, 'Release clerk.jpg').click();
      await expect(waiting).toHaveCount(0, { timeout: 3_000 });
    }).toPass();
    await desk.keyboard.press('Escape');
    await waitForStatus(page, 'clerk.jpg', 'done');
    expect((await readDownload(await downloadBy(page, 'Download'))).length).toBeGreaterThan(1_000);

    // A result of the reviewer's own waits, too, and again after an edit.
    await drop(desk, [jpegFile('own.jpg', await tinySample(5))]);
    await waitForStatus(desk, 'own.jpg', 'done');
    const download = desk.getByRole('button', { name: 'Download', exact: true });
    await expect(desk.getByTestId('release')).toBeVisible();
    await expect(download).toBeDisabled();
    expect(await violations(desk)).toEqual([]);
    await release(desk, 'Release').click();
    await expect(download).toBeEnabled();
    await desk.getByRole('button', { name: 'Edit', exact: true }).click();
    await desk.getByTestId('stage').focus();
    await desk.keyboard.press('a');
    await desk.keyboard.press('Enter');
    await expect(desk.getByTestId('release')).toBeVisible();
    await expect(download).toBeDisabled();
    // Not looked at in the list.
    await desk.getByTestId('engine').click();
    await release(desk, 'Release own.jpg').click();
    await expect(waiting).toHaveCount(0);
    expect(tags.length).toBeGreaterThan(3);
    expect(tags).not.toContain(undefined);
  } finally {
    await server.stop();
  }
});
