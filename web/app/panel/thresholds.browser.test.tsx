import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { boxOf } from '#shared/testing/plans';
import { resultWith, SETTINGS, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { useAppState } from '../services';
import { Thresholds } from './thresholds';

const face = (score: number) => ({ objectClass: 'face', box: boxOf(0, 0, 9, 9), score }) as const;
const FOUND = resultWith('task', [face(0.3), face(0.62), face(0.9)]);

const Panel = () => <Thresholds item={useAppState().items[0]} />;
const faces = page.getByRole('slider', { name: 'Faces' });
const histogram = page.getByTestId('histogram').first();

let store: Awaited<ReturnType<typeof renderPart>>;
beforeEach(async () => {
  store = await renderPart(stateWith({ a: FOUND }), () => <Panel />);
  await userEvent.click(page.getByText('Minimum confidence'));
});

it('a slider changes only the threshold of its class, and the selected image changes at once', async () => {
  await userEvent.click(faces);
  await userEvent.keyboard('{End}');
  const { settings, items } = store.get();
  expect(settings.thresholds).toEqual({ ...SETTINGS.thresholds, face: 0.95 });
  expect(items[0]?.settings).toEqual(settings);
});

it('the histogram next to a slider shows how many detections reach the minimum confidence', async () => {
  await userEvent.click(faces);
  await userEvent.keyboard('{Home}');
  await expect.element(histogram).toHaveAccessibleName('3 of 3 at or above the minimum');
  await userEvent.keyboard('{End}');
  await expect.element(histogram).toHaveAccessibleName('0 of 3 at or above the minimum');
});

it('the histogram bars lie above the track of the slider', () => {
  const track = faces.element().getBoundingClientRect();
  const bars = [...histogram.element().children].map((bar) => bar.getBoundingClientRect());
  expect(bars[0]?.left).toBeGreaterThanOrEqual(track.left);
  expect(bars.at(-1)?.right).toBeLessThanOrEqual(track.right + 1);
  const heights = bars.map(({ height }) => height);
  expect(heights.filter((height) => height > 0).length).toBeGreaterThanOrEqual(3);
});
