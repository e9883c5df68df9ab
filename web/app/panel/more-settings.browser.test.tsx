import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultWith, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { MoreSettings } from './more-settings';

const CODES = [
  { code: 'b6', label: 'Personal privacy', colour: '#45c4ff' },
  { code: 'b7C', label: 'Law enforcement' },
];

let store: Awaited<ReturnType<typeof renderPart>>;
const stated = () => store.get().settings.stated;
const load = async (text: string): Promise<void> =>
  userEvent.upload(page.getByTestId('reasons-input'), new File([text], 'codes.json'));
const ofFaces = page.getByRole('combobox', { name: 'Reason for faces' });

beforeEach(async () => {
  store = await renderPart(stateWith({ 'a.jpg': resultWith('task', []) }), () => <MoreSettings />);
});

it('the margin is a factor from 1, which is not named, to 2', async () => {
  const margin = page.getByRole('slider', { name: 'Margin' });
  await userEvent.fill(margin, '2');
  expect(store.get().settings.margin).toBe(2);
  await userEvent.fill(margin, '1');
  expect(store.get().settings).not.toHaveProperty('margin');
});

it('codes are loaded from a file, and other ones drop reasons of classes that they lack', async () => {
  await load(JSON.stringify(CODES));
  await userEvent.selectOptions(ofFaces, 'b6');
  expect(stated()).toEqual({ codes: CODES, ofClasses: { face: 'b6' }, details: {} });
  await load(JSON.stringify(CODES.slice(1)));
  await expect.poll(() => stated()?.ofClasses).toEqual({});
  await userEvent.click(page.getByRole('button', { name: 'Remove codes' }));
  expect(stated()?.codes).toEqual([]);
  await expect.element(ofFaces).not.toBeInTheDocument();
});

it('a file that is no list of codes is refused with a sentence, and the codes before it stay', async () => {
  await load(JSON.stringify(CODES));
  await load('[{"code":"b6"}]');
  await expect.element(page.getByText('`reasons[0].label` is missing')).toBeVisible();
  expect(stated()?.codes).toEqual(CODES);
});

it('the case is entered once for all files, as one line of text', async () => {
  const number = page.getByRole('textbox', { name: 'Case number' });
  await userEvent.fill(number, ' 2026/17 ');
  await userEvent.fill(page.getByRole('textbox', { name: 'Operator' }), 'Zoë');
  await userEvent.keyboard('{Enter}');
  expect(stated()?.details).toEqual({ number: '2026/17', operator: 'Zoë' });
  await userEvent.clear(number);
  await userEvent.keyboard('{Tab}');
  expect(stated()?.details).toEqual({ operator: 'Zoë' });
});
