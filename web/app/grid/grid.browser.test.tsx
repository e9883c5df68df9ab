import { useState, type ReactElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { NOTHING_SELECTED, type Selection } from '../../state/selection';
import { stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { Grid } from './grid';

const COUNT = 500;
const NAMES = Array.from({ length: COUNT }, (_, i) => `picture-${i + 1}.jpg`);
const WAITING = stateWith(Object.fromEntries(NAMES.map((name) => [name, null])));

let selection: Selection;
const Grids = (): ReactElement => {
  const [chosen, setChosen] = useState(NOTHING_SELECTED);
  selection = chosen;
  return (
    <div style={{ display: 'grid', width: 760, height: 600 }}>
      <Grid selection={chosen} onSelect={setChosen} onOpen={() => undefined} onRemove={() => undefined} />
    </div>
  );
};

const grid = page.getByTestId('grid');
const cards = page.getByRole('option');
const card = (number: number) => page.getByRole('option', { name: new RegExp(`picture-${number}\\.jpg`) });

beforeEach(async () => {
  await renderPart(WAITING, () => <Grids />);
  await expect.element(card(1)).toBeVisible();
});

it('only cards near the visible part of a long grid are rendered', async () => {
  expect(cards.elements().length).toBeLessThan(50);
  grid.element().scrollTop = grid.element().scrollHeight / 2;
  await expect.element(card(COUNT / 2)).toBeVisible();
  expect(cards.elements().length).toBeLessThan(60);
  expect(card(1).elements()).toHaveLength(0);
});

it('the keyboard reaches a card that is not rendered yet, and the card has its position in the whole list', async () => {
  grid.element().focus();
  await userEvent.keyboard('{End}');
  await expect.element(card(COUNT)).toBeVisible();
  await expect.element(card(COUNT)).toHaveAttribute('aria-posinset', String(COUNT));
  await expect.element(card(COUNT)).toHaveAttribute('aria-setsize', String(COUNT));
  expect(grid.element().getAttribute('aria-activedescendant')).toBe(card(COUNT).element().id);
});

it('Shift selects all files between two, rendered or not', async () => {
  await userEvent.click(card(2));
  grid.element().scrollTop = grid.element().scrollHeight;
  await expect.element(card(COUNT)).toBeVisible();
  await userEvent.click(card(COUNT), { modifiers: ['Shift'] });
  expect(selection.ids.size).toBe(COUNT - 1);
  expect(selection.ids.has('picture-1.jpg')).toBe(false);
});
