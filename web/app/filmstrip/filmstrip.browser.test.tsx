import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { Filmstrip } from './filmstrip';

const COUNT = 500;
const NAMES = Array.from({ length: COUNT }, (_, i) => `picture-${i + 1}.jpg`);
const WAITING = stateWith(Object.fromEntries(NAMES.map((name) => [name, null])));

const images = page.getByTestId('picture');
const image = (number: number) => page.getByRole('listitem').filter({ has: select(number) });
const select = (number: number) =>
  page.getByRole('button', { name: new RegExp(`^picture-${number}\\.jpg`), exact: true });

const Strip = () => (
  <div style={{ display: 'grid', width: 700 }}>
    <Filmstrip />
  </div>
);

it('only thumbnails near the visible part of a long filmstrip are rendered, and each has its position and the total number', async () => {
  await renderPart(WAITING, () => <Strip />);
  await expect.element(select(1)).toBeVisible();
  expect(images.elements().length).toBeLessThan(30);

  const row = page.getByRole('list').element();
  row.scrollLeft = row.scrollWidth;
  await expect.element(select(COUNT)).toBeVisible();
  expect(images.elements().length).toBeLessThan(40);
  expect(select(1).elements()).toHaveLength(0);
  await expect.element(image(COUNT)).toHaveAttribute('aria-posinset', String(COUNT));
  await expect.element(image(COUNT)).toHaveAttribute('aria-setsize', String(COUNT));
});

it('the filmstrip scrolls to the selected file, also if its thumbnail was not rendered before', async () => {
  await renderPart({ ...WAITING, selectedId: 'picture-250.jpg' }, () => <Strip />);
  await expect.element(select(250)).toBeInViewport();
});

it('a short filmstrip renders all thumbnails', async () => {
  await renderPart(stateWith({ 'picture-1.jpg': null, 'picture-2.jpg': null }), () => <Strip />);
  await expect.element(select(2)).toBeVisible();
  expect(images.elements()).toHaveLength(2);
});
