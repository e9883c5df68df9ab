import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { zipSync } from 'fflate';
import {
  cocoModel,
  packOf,
  sha256Of,
  modelWithUnknownOutputs,
  vehicleModel,
} from '../models/packs/test/tiny-models';
import { violations } from './support/accessible';
import { drop, openApp, itemNamed, waitForStatus, type DroppedFile } from './support/app';
import { expect, test } from './support/hosts';

/** A file name that could be markup. */
const FILE_NAME = '<b>Cars</b>.onnx';
/** An output without names of classes: each row has the class number 0. */
const MODEL = vehicleModel(0.9, 0);
const IMAGE = 'grey.png';

const modelFile = (name: string, bytes: Uint8Array): DroppedFile => ({ name, type: '', bytes });
const grey = async (): Promise<DroppedFile> => ({
  name: IMAGE,
  type: 'image/png',
  bytes: await sharp({ create: { width: 32, height: 32, channels: 3, background: '#5a5a5a' } })
    .png()
    .toBuffer(),
});

const openModels = async (page: Page): Promise<Locator> => {
  await page.getByTestId('engine').click();
  return page.getByTestId('models');
};
const dropModel = (page: Page, ...files: readonly DroppedFile[]): Promise<void> =>
  drop(page, files, '[data-testid=model-drop]');

/** Number of objects detected in an image of a single colour. */
const foundInGrey = async (page: Page): Promise<string> => {
  await drop(page, [await grey()]);
  await waitForStatus(page, IMAGE, 'done');
  const facts = await page.getByTestId('facts').innerText();
  await itemNamed(page, IMAGE).getByRole('button', { name: 'Remove' }).click();
  return facts;
};

/** Changes one byte of each added model on disk. */
const damageModels = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('models');
    for await (const [name, handle] of folder.entries()) {
      if (!name.endsWith('.onnx')) continue;
      const file = handle as FileSystemFileHandle;
      const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
      bytes[100]! ^= 1;
      const writable = await file.createWritable();
      await writable.write(bytes);
      await writable.close();
    }
  });

test('an added model is tested, used, kept without a network, ignored after damage, and removed', async ({
  page,
  context,
}) => {
  await openApp(page);
  const models = await openModels(page);
  await dropModel(page, modelFile(FILE_NAME, MODEL));
  const candidate = models.getByTestId('model-candidate');
  await expect(candidate.getByTestId('model-hash')).toHaveText(sha256Of(MODEL));
  await expect(candidate).toContainText(FILE_NAME);
  await expect(candidate.getByTestId('model-head')).toHaveText(/YOLO.*NMS/);
  const use = candidate.getByRole('button', { name: 'Use it' });
  const tryIt = candidate.getByRole('button', { name: 'Use the test image' });
  await expect(tryIt).toBeDisabled();

  // After another choice of classes the model must be tested again.
  const classes = candidate.getByRole('combobox', { name: 'Detects' });
  for (const [chosen, found] of [
    ['coco', 'person'],
    ['face', 'face'],
  ] as const) {
    await classes.selectOption(chosen);
    await expect(use).toBeDisabled();
    await tryIt.click();
    await expect(candidate.getByTestId('model-found')).toContainText(
      found === 'face' ? /\d+ faces?, in .* sec on WASM/ : /\d+ persons?, in/,
    );
    await expect(candidate.getByTestId('box').first()).toHaveAttribute('data-class', found);
  }
  expect(await violations(page), 'a model that was tried').toEqual([]);

  await use.click();
  const row = models.getByTestId('own-model');
  await expect(row).toHaveAttribute('data-use', 'used');
  await expect(page.getByTestId('offline')).toHaveAttribute('data-state', 'stored', { timeout: 60_000 });
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('engine')).toHaveAttribute('data-state', 'ready');
  expect(await foundInGrey(page)).toMatch(/^\d+ faces?/);
  await expect(page.getByTestId('sent')).toHaveAttribute('data-sent', 'false');

  await context.setOffline(true);
  await openApp(page);
  expect(await foundInGrey(page)).toMatch(/^\d+ faces?/);
  await damageModels(page);
  await openApp(page);
  expect(await foundInGrey(page)).toContain('No objects found');
  await expect(page.getByTestId('engine')).toContainText('Added model not used');
  await openModels(page);
  await expect(row).toHaveAttribute('data-use', 'damaged');
  await row.getByRole('button', { name: /^Remove own-b-cars/ }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByTestId('engine')).toContainText('Ready');
});

test(
  'a pack is accepted as a ZIP archive, or as a description with its model',
  { tag: '@slow' },
  async ({ page }) => {
    await openApp(page);
    const models = await openModels(page);
    const description = Buffer.from(JSON.stringify(packOf(vehicleModel())));
    const candidate = models.getByTestId('model-candidate');
    const zip = zipSync({ 'pack.json': description, 'tiny-vehicles.onnx': vehicleModel() });
    await dropModel(page, modelFile('cars.zip', zip));
    await expect(candidate.getByTestId('model-classes')).toHaveText('Vehicles');
    await dropModel(page, modelFile('pack.json', description), modelFile('any name.onnx', vehicleModel()));
    await expect(candidate).toContainText('any name.onnx');
    await candidate.getByRole('button', { name: 'Discard' }).click();
    await expect(candidate).toHaveCount(0);
  },
);

test('a file without a usable model is refused with a reason', async ({ page }) => {
  await openApp(page);
  const models = await openModels(page);
  const refusal = models.getByRole('alert').filter({ hasText: 'was not added' });
  const description = Buffer.from(JSON.stringify(packOf(vehicleModel())));
  for (const [file, reason] of [
    [modelFile('notes.onnx', Buffer.from('no model at all')), /not an ONNX model/],
    [modelFile('cut.onnx', cocoModel().subarray(0, 200)), /not an ONNX model/],
    [modelFile('strange.onnx', modelWithUnknownOutputs()), /output format is unknown/],
    [modelFile('pack.json', description), /is missing/],
    [modelFile('pack.zip', zipSync({ '../a.onnx': vehicleModel() })), /ZIP archive is damaged/],
  ] as const) {
    await dropModel(page, file);
    await expect(refusal).toHaveText(reason);
    await expect(refusal).toContainText(file.name);
  }
  await expect(models.getByTestId('own-model')).toHaveCount(0);
  await expect(page.getByTestId('picture')).toHaveCount(0);
});
