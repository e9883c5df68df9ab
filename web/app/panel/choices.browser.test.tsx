import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultWith, SETTINGS, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { QualityChoice } from './choices';

let store: Awaited<ReturnType<typeof renderPart>>;
beforeEach(async () => {
  store = await renderPart(stateWith({ a: resultWith('task', []) }), () => <QualityChoice />);
});

it('the balanced preset is selected until the user selects another', async () => {
  await expect.element(page.getByRole('radio', { name: 'Balanced' })).toBeChecked();
  await userEvent.click(page.getByRole('radio', { name: 'Thorough' }));
  await expect.element(page.getByRole('radio', { name: 'Thorough' })).toBeChecked();
  expect(store.get().settings).toEqual({ ...SETTINGS, qualityPreset: 'thorough' });
});

it('the thorough preset says that it searches as the balanced one does', async () => {
  await userEvent.click(page.getByRole('radio', { name: 'Thorough' }));
  await expect.element(page.getByText('Same as Balanced')).toBeVisible();
});

it('another preset does not change the selected image before it is applied', async () => {
  await userEvent.click(page.getByRole('radio', { name: 'Fast' }));
  expect(store.get().items[0]?.settings).toEqual(SETTINGS);
});

it('heads without a detected face are hidden if the user selects it', async () => {
  await userEvent.click(page.getByRole('checkbox'));
  expect(store.get().settings.headFallback).toBe(true);
});
