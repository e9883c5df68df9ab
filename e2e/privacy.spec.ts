import type { Request } from '@playwright/test';
import { downloadBy, drop, jpegFile, openApp, readDownload, waitForStatus } from './support/app';
import { expect, HOSTS, openPage, test } from './support/hosts';
import { readPixels } from './support/pixels';
import { TINY_PX, tinySample } from './support/samples';
import { jpegWithSecrets, pngWithSecrets, SECRETS } from './support/images-with-metadata';
import { startTinyServer } from './support/tiny-product';
import { upload } from './support/upload';

test.use({ isFirstVisit: true });

const PHOTO = 'private.jpg';

test.describe('the privacy of the page', () => {
  test('no request is sent to another host, and no request has a body', async ({ page, context, origin }) => {
    const requests: Request[] = [];
    const refused: string[] = [];
    context.on('request', (request) => requests.push(request));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
    await openApp(page);
    await drop(page, [jpegFile(PHOTO, await tinySample(5))]);
    await waitForStatus(page, PHOTO, 'done');
    await downloadBy(page, 'Download');

    expect(refused, 'nothing that the page needs is refused').toEqual([]);
    expect(requests.length).toBeGreaterThan(3);
    for (const request of requests) {
      const url = new URL(request.url());
      expect(url.protocol === 'blob:' || url.origin === new URL(origin).origin, request.url()).toBe(true);
      expect(request.method(), request.url()).toBe('GET');
      expect(request.postDataBuffer(), request.url()).toBeNull();
      expect(url.search.length, request.url()).toBeLessThan(100);
    }
  });

  test('after loading, a photo causes no request at all, and the page shows that', async ({
    page,
    context,
  }) => {
    await openApp(page);
    // Storing files for offline use is part of loading.
    await page.getByTestId('engine').click();
    await expect(page.getByTestId('offline')).toHaveAttribute('data-state', 'stored');
    // The dialog reads the list of models.
    await expect(page.getByRole('region', { name: 'Models' }).getByRole('row').nth(1)).toBeVisible();
    await page.keyboard.press('Escape');

    const requests: string[] = [];
    context.on('request', (request) => requests.push(request.url()));
    await drop(page, [jpegFile(PHOTO, await jpegWithSecrets(await tinySample(5)))]);
    await waitForStatus(page, PHOTO, 'done');
    await downloadBy(page, 'Download');
    expect(requests.filter((url) => !url.startsWith('blob:'))).toEqual([]);

    await expect(page.getByTestId('metadata').getByRole('listitem')).toHaveText([
      'Location (GPS)',
      'Preview',
      'Data after the image',
      'Camera data (EXIF)',
      'XMP',
      'Captions (IPTC)',
      'Comment',
    ]);
    await page.getByRole('button', { name: '0 bytes sent' }).click();
    await expect(page.getByTestId('sent-total')).toHaveText('0 bytes sent');
  });

  test.describe('on a later visit', () => {
    test.use({ isFirstVisit: false });
    test('camera, date and place are kept if the user selects that, and no other metadata', async ({
      page,
    }) => {
      await openApp(page);
      await drop(page, [jpegFile(PHOTO, await jpegWithSecrets(await tinySample(5)))]);
      await waitForStatus(page, PHOTO, 'done');
      const secretsInResult = async (): Promise<string[]> => {
        const file = await readDownload(await downloadBy(page, 'Download'));
        expect(countStarts(file)).toBe(1);
        return SECRETS.filter((secret) => Buffer.from(file).includes(secret));
      };
      const keep = page.getByTestId('metadata').getByRole('checkbox');
      await keep.check();
      await expect(page.getByRole('heading', { name: 'Kept' })).toBeVisible();
      expect(await secretsInResult()).toEqual(['SECRET-EXIF']);
      await keep.uncheck();
      await expect(page.getByRole('heading', { name: 'Kept' })).toBeHidden();
      expect(await secretsInResult()).toEqual([]);
    });

    test('bytes that are sent to a server are counted in every tab', async ({ page, context }) => {
      await openPage(page, '/');
      const reference = await context.newPage();
      await reference.goto('/docs');
      await reference.getByRole('radio', { name: 'This server' }).check();
      const card = reference.getByTestId('operation-uploadFile');
      await card.locator('summary').first().click();
      const upload = { name: PHOTO, mimeType: 'image/jpeg', buffer: Buffer.alloc(2_000_000) };
      await card.getByLabel('fileobject').setInputFiles(upload);
      await card.getByRole('button', { name: 'Send' }).click();
      await expect(card.getByTestId('answer')).toBeVisible();
      await expect(page.getByTestId('sent')).toHaveText('2.0 MB sent');
    });
  });

  test('a photo is anonymised, and the API of the page answers, without server and network', async ({
    page,
    context,
  }) => {
    const server = await startTinyServer();
    await openApp(page, server.origin);
    await page.locator('html[data-api=page]').waitFor();
    await server.stop();
    await context.setOffline(true);
    await drop(page, [jpegFile(PHOTO, await tinySample(5))]);
    await waitForStatus(page, PHOTO, 'done');
    const file = await readDownload(await downloadBy(page, 'Download'));
    expect((await readPixels(file)).width).toBe(TINY_PX);
    const status = await page.evaluate(async () => (await fetch('/v1/status')).json() as Promise<object>);
    expect(status).toMatchObject({ api_version: 'v1', status: 'RUNNING' });
  });

  test('the server does not know a task that was posted inside the page', async ({ sendTo }) => {
    const { id } = await upload(sendTo.page, await tinySample(5), 'face=true');
    expect((await sendTo.server({ method: 'GET', url: `/v1/task/${id}` })).status).toBe(404);
  });

  test('the content security policy of the page allows connections only to its own origin', async ({
    request,
  }) => {
    const headers = (await request.get('/')).headers();
    const policy = Object.fromEntries(
      (headers['content-security-policy'] ?? '').split(';').map((directive) => {
        const [name = '', ...sources] = directive.trim().split(' ');
        return [name, sources];
      }),
    );
    expect(policy['default-src']).toEqual(["'self'"]);
    expect(policy['script-src']).toEqual(["'self'", "'wasm-unsafe-eval'"]);
    expect(policy['connect-src']).toEqual(["'self'"]);
    expect(policy['form-action']).toEqual(["'none'"]);
    expect(policy['frame-ancestors']).toEqual(["'none'"]);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });
});

/** A second start marker belongs to a thumbnail: coded pixels cannot contain one. */
const countStarts = (jpeg: Uint8Array): number =>
  Buffer.from(jpeg).toString('latin1').split('\xff\xd8\xff').length - 1;

const PNG_SIGNATURE_BYTES = 8;
const chunkTypes = (png: Uint8Array): Set<string> => {
  const bytes = Buffer.from(png);
  const types = new Set<string>();
  for (let at = PNG_SIGNATURE_BYTES; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    types.add(bytes.toString('latin1', at + 4, at + 8));
  }
  return types;
};

test.describe('a result contains no metadata of its source', () => {
  for (const host of HOSTS) {
    for (const [format, make] of [
      ['JPEG', jpegWithSecrets],
      ['PNG', pngWithSecrets],
    ] as const) {
      test(`${host}: no metadata, thumbnail or trailer of a ${format}`, async ({ sendTo }) => {
        const source = await make(await tinySample(5));
        const found = SECRETS.filter((secret) => Buffer.from(source).includes(secret));
        expect(found.length).toBeGreaterThanOrEqual(4);
        const file = await (await upload(sendTo[host], source, 'face=true')).anonymised();
        expect(found.filter((secret) => Buffer.from(file).includes(secret))).toEqual([]);
        if (format === 'JPEG') {
          expect(Buffer.from(file).includes('Exif\0')).toBe(false);
          expect(countStarts(file)).toBe(1);
        } else {
          expect(
            [...chunkTypes(file)].filter((type) => !/^(IHDR|PLTE|IDAT|IEND|sRGB|pHYs)$/.test(type)),
          ).toEqual([]);
        }
      });
    }
  }
});
