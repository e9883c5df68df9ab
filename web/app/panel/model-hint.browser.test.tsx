import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { resultWith, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { createValue } from '../../state/store';
import type { AppServices } from '../services';
import { ModelHint } from './model-hint';

beforeEach(() => localStorage.clear());

const hint = page.getByTestId('model-hint');
const packOf = (id: string) => ({ id, bytes: 5e6, licence: 'MIT', presets: ['fast'], host: 'example.org' });
const readyWith = (ownPacks: readonly string[]) =>
  ({ state: 'ready', backend: 'fake', ownPacks, leftOut: [] }) as const;

const renderHint = async (more: Partial<AppServices> = {}) => {
  const status = createValue<object>(readyWith(['other']));
  const listRecommended = vi.fn(async () => ['nano', 'small'].map(packOf));
  const offered = {
    engine: { status },
    ownModels: { isOffered: true, listRecommended },
    subjectHost: () => undefined,
    ...more,
  } as unknown as AppServices;
  await renderPart(stateWith({ a: resultWith('a', []) }), () => <ModelHint />, offered);
  return { status, listRecommended };
};

it('the settings mention recommended models with their size until one of them is in use', async () => {
  const { status } = await renderHint();
  await expect.element(hint).toHaveTextContent('(10 MB)');
  status.send(readyWith(['small']));
  await expect.element(hint).not.toBeInTheDocument();
});

it('a dismissed line about recommended models does not come back', async () => {
  await renderHint();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(hint).not.toBeInTheDocument();
  const { listRecommended } = await renderHint();
  expect(listRecommended).not.toHaveBeenCalled();
});

it.each([
  ['a server that detects with its own models', { server: { use: createValue({ isOn: true }) } }],
  ['a review, whose results exist already', { subjectHost: undefined }],
])('recommended models of the page are not mentioned next to %s', async (_, more) => {
  const { listRecommended } = await renderHint(more as unknown as Partial<AppServices>);
  expect(listRecommended).not.toHaveBeenCalled();
});
