import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { NO_ITEM_EDITS } from '../../state/edit-history';
import { withHidden } from '../../state/video-edits';
import { stateWith, videoResultWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { TracksSection } from './tracks-section';

/** Each is seen one frame longer than the one before it. */
const SPANS = Array.from({ length: 40 }, (_, i) => ({
  ...{ firstS: 0, lastS: i + 1, bestS: i / 2 },
  frames: i + 1,
}));
const RESULT = videoResultWith('task', SPANS);

const rows = page.getByTestId('track');
const tick = (at: number) => rows.nth(at).getByRole('checkbox');
const seek = vi.fn();
const change = vi.fn();

let store: Awaited<ReturnType<typeof renderPart>>;
beforeEach(async () => {
  seek.mockClear();
  store = await renderPart(stateWith({ 'street.mp4': RESULT }), (item) => (
    <TracksSection item={item} result={RESULT} playhead={{ seek, nowS: () => 0, change }} />
  ));
});

it('what is seen longest is listed first', () => {
  const numbers = rows.elements().map((row) => Number((row as HTMLElement).dataset['track']));
  expect(numbers.slice(0, 3)).toEqual([39, 38, 37]);
});

it('of many, some are listed until more are asked for: each thumbnail costs a seek', async () => {
  expect(rows.elements()).toHaveLength(24);
  await userEvent.click(page.getByRole('button', { name: /16/ }));
  await expect.poll(() => rows.elements().length).toBe(SPANS.length);
});

it('a tick less lets its object alone be seen, and a tick more hides it again', async () => {
  await userEvent.click(tick(1));
  expect(store.get().items[0]?.edits.present.objects).toEqual([{ id: 38, hidden: false }]);
  await expect.element(tick(1)).not.toBeChecked();
  await expect.element(tick(0)).toBeChecked();
  await userEvent.click(tick(1));
  expect(store.get().items[0]?.edits.present.objects).toEqual([]);
});

it('a thumbnail leads to the moment at which its object is seen best', async () => {
  await userEvent.click(rows.nth(2).getByRole('button', { name: /^Go to/ }));
  expect(seek).toHaveBeenCalledWith(expect.objectContaining({ atS: 18.5 }));
});

it('areas that are always hidden have a time, a method and a button to remove them', async () => {
  const area = { topLeftX: 0, topLeftY: 0, width: 20, height: 10 };
  const edits = withHidden(NO_ITEM_EDITS, area);
  store.send({ type: 'edited', id: 'street.mp4', edit: { type: 'replaced', edits } });
  const hidden = page.getByTestId('always-hidden');
  const now = () => store.get().items[0]?.edits.present.hides;
  await userEvent.click(hidden.getByRole('button', { name: /^Set a time range/ }));
  expect(now()).toEqual([{ key: -1, ...area, start: 0, end: 1 }]);
  await userEvent.click(hidden.getByRole('button', { name: /^to 0:01/ }));
  expect(now()?.[0]).toMatchObject({ start: 0, end: 0.001 });
  await userEvent.selectOptions(hidden.getByRole('combobox'), 'blacken');
  expect(now()?.[0]?.method).toBe('blacken');
  await userEvent.click(hidden.getByRole('button', { name: /^Remove the area/ }));
  expect(now()).toEqual([]);
});

it('a track has a list of reasons and keys for them, and keeps its reason when it is shown and hidden again', async () => {
  const stated = { codes: [{ code: 'b6', label: 'Privacy' }], ofClasses: {}, details: {} };
  store.send({ type: 'settings-changed', settings: { ...store.get().settings, stated } });
  const objects = () => store.get().items[0]?.edits.present.objects;
  await userEvent.selectOptions(rows.first().getByRole('combobox'), 'b6');
  expect(objects()).toEqual([{ id: 39, reason: 'b6' }]);
  await userEvent.click(tick(0));
  await userEvent.click(tick(0));
  expect(objects()).toEqual([{ id: 39, reason: 'b6' }]);
  (
    rows
      .nth(1)
      .getByRole('button', { name: /^Go to/ })
      .element() as HTMLElement
  ).focus();
  await userEvent.keyboard('1');
  expect(objects()).toEqual([{ id: 39, reason: 'b6' }, { id: 38, reason: 'b6' }]); // oxfmt-ignore
  await userEvent.selectOptions(rows.first().getByRole('combobox'), '');
  expect(objects()).toEqual([{ id: 38, reason: 'b6' }]);
});

it('a track has a button that changes its place and class', async () => {
  await userEvent.click(rows.first().getByRole('button', { name: /^Change place or class: Face/ }));
  expect(change).toHaveBeenCalledWith(expect.objectContaining({ id: 39 }));
});
