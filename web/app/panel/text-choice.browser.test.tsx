import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultWith, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { TextChoice } from './text-choice';

let store: Awaited<ReturnType<typeof renderPart>>;
const words = page.getByRole('textbox', { name: 'Words that stay visible' });
const kind = (name: string) => page.getByRole('group', { name: 'Only lines with' }).getByLabelText(name);

beforeEach(async () => {
  store = await renderPart(stateWith({ 'a.png': resultWith('task', []) }), () => <TextChoice />);
});
const open = () => userEvent.click(page.getByText('Hide only some text'));

it('is folded until the user opens it', async () => {
  await expect.element(words).not.toBeInTheDocument();
  await open();
  await expect.element(words).toBeVisible();
});

it('kinds are named in one order, and none means that all text is hidden', async () => {
  await open();
  await userEvent.click(kind('Dates'));
  await userEvent.click(kind('E-mail addresses'));
  expect(store.get().settings.textMatch).toBe('email,date');
  await userEvent.click(kind('Dates'));
  await userEvent.click(kind('E-mail addresses'));
  expect(store.get().settings).not.toHaveProperty('textMatch');
});

it('words that stay visible count once the field is left', async () => {
  await open();
  await userEvent.fill(words, ' Exit, Platform ');
  expect(store.get().settings).not.toHaveProperty('textKeep');
  await userEvent.keyboard('{Tab}');
  expect(store.get().settings.textKeep).toBe('Exit, Platform');
});

it('a word that cannot be read is named at its field, and no words stay visible', async () => {
  await open();
  await userEvent.fill(words, 'Exit');
  await userEvent.keyboard('{Enter}');
  await userEvent.fill(words, 'Exit, Straße');
  await userEvent.keyboard('{Enter}');
  await expect.element(words).toHaveAccessibleDescription(/^“straße” has a letter that cannot be read/);
  await expect.element(words).toBeInvalid();
  expect(store.get().settings).not.toHaveProperty('textKeep');
  await userEvent.fill(words, 'Exit');
  await userEvent.keyboard('{Enter}');
  await expect.element(words).toBeValid();
  expect(store.get().settings.textKeep).toBe('Exit');
});
