import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultWith, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { UncertainButton } from './uncertain-button';

const BOX = { x1: 100, y1: 100, x2: 140, y2: 150 };
const imageWith = (taskId: string, ...scores: readonly number[]) =>
  resultWith(
    taskId,
    scores.map((score) => ({ objectClass: 'face', score, box: BOX })),
  );

let store: Awaited<ReturnType<typeof renderPart>>;
const view = page.getByTestId('uncertain-view');
const position = page.getByTestId('uncertain-position');

beforeEach(async () => {
  localStorage.setItem('veil-reviewer', '');
  const state = stateWith({ 'a.jpg': imageWith('a', 0.5, 0.45), 'b.jpg': imageWith('b', 0.49, 0.55) });
  store = await renderPart(state, () => <UncertainButton />);
});

const open = async (): Promise<void> => {
  await userEvent.keyboard('{F2}');
  await expect.element(view).toHaveFocus();
};
const changes = () => store.get().items.map(({ edits }) => edits.present.objects);

it('the button has the number of uncertain objects, and a key opens the list', async () => {
  await expect.element(page.getByRole('button', { name: /Uncertain/ })).toHaveTextContent('4');
  await open();
  await expect.element(position).toHaveTextContent('1 of 4');
});

it('one key decides about the object in view and shows the next one, the least certain first', async () => {
  await open();
  await userEvent.keyboard('s');
  await expect.element(position).toHaveTextContent('2 of 4');
  await userEvent.keyboard('h');
  await expect.element(position).toHaveTextContent('3 of 4');
  expect(changes()).toEqual([[{ id: 0, hidden: false }], [{ id: 0, hidden: true, type_label: 'face' }]]);
  await userEvent.keyboard(' ');
  await expect.element(position).toHaveTextContent('4 of 4');
  await userEvent.keyboard('{Enter}');
  await expect.element(view).toHaveTextContent('3 objects decided');
});

it.each(['u', '{ArrowLeft}'])('the key %s goes back, and takes the decision back', async (key) => {
  await open();
  await userEvent.keyboard('s{ArrowRight}');
  await expect.element(position).toHaveTextContent('3 of 4');
  await userEvent.keyboard(key);
  expect(changes()[0]).toEqual([{ id: 0, hidden: false }]);
  await userEvent.keyboard(key);
  await expect.element(position).toHaveTextContent('1 of 4');
  expect(changes()).toEqual([[], []]);
});

it('a held key decides once: nobody has seen the next objects', async () => {
  await open();
  await userEvent.keyboard('{s>5/}');
  await expect.element(position).toHaveTextContent('2 of 4');
});

it('buttons decide like the keys, and the keys act afterwards', async () => {
  await open();
  await userEvent.click(page.getByRole('button', { name: /^Not an object/ }));
  await expect.element(view).toHaveFocus();
  await userEvent.keyboard(' ');
  await expect.element(position).toHaveTextContent('3 of 4');
  expect(changes()).toEqual([[{ id: 0, hidden: false }], []]);
});

it('edits of a file wait while the list has more of its objects, and all end their wait with the list', async () => {
  const held = () => [...store.get().held];
  await open();
  await userEvent.keyboard('s');
  await expect.element(position).toHaveTextContent('2 of 4');
  await userEvent.keyboard('s');
  await expect.element(position).toHaveTextContent('3 of 4');
  expect(held()).toEqual(['a.jpg', 'b.jpg']);
  await userEvent.keyboard('s');
  await expect.poll(held).toEqual(['b.jpg']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(held).toEqual([]);
});

it('failed edits are reported in one sentence, and tried again by a button', async () => {
  await open();
  await userEvent.keyboard('s');
  store.send({ type: 'revision-failed', id: 'a.jpg', taskId: 'a' });
  const alert = page.getByRole('alert');
  await expect.element(alert).toHaveTextContent('could not be applied. No decision is lost.');
  await userEvent.click(page.getByRole('button', { name: 'Try again' }));
  expect(store.get().items[0]).toMatchObject({ status: 'done', revision: 'none' });
  expect(changes()[0]).toEqual([{ id: 0, hidden: false }]);
});

it('the name of the reviewer is asked for once, and its letters decide nothing', async () => {
  localStorage.removeItem('veil-reviewer');
  await userEvent.keyboard('{F2}');
  await expect.element(page.getByRole('textbox')).toHaveFocus();
  await userEvent.keyboard('Sahu{Enter}');
  await expect.element(view).toHaveFocus();
  expect([localStorage.getItem('veil-reviewer'), changes()]).toEqual(['Sahu', [[], []]]);
  await userEvent.keyboard('{Escape}');
  await expect.element(view).not.toBeInTheDocument();
  await open();
});
