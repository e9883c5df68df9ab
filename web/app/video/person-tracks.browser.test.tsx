import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { SubjectHost } from '../../state/subjects/shown-person';
import { reduceApp } from '../../state/app-reducer';
import { stateWith, videoResultWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { TracksSection } from './tracks-section';

const SEEN = { firstS: 0, lastS: 8, bestS: 4 };
const FACES = videoResultWith('task', [
  { ...SEEN, frames: 30 },
  { ...SEEN, frames: 20 },
]);
const RESULT = {
  ...FACES,
  objects: [
    ...FACES.objects,
    {
      ...({ id: 2, objectClass: 'license-plate', score: 0.9, seen: { ...SEEN, frames: 10 } } as const),
      ...{ x: 10, y: 10, width: 20, height: 20 },
    },
  ],
  video: { ...FACES.video!, shown: [{ trackId: 1, fromS: 2, untilS: 5.5 }] },
};

const row = (id: number) => page.getByTestId('track').nth(id);
const tick = (id: number) => row(id).getByRole('checkbox');
const note = page.getByTestId('shown-track');

let store: Awaited<ReturnType<typeof renderPart>>;
beforeEach(async () => {
  const state = reduceApp(stateWith({ 'street.mp4': RESULT }), { type: 'subject-chosen', show: 'key' });
  store = await renderPart(
    state,
    (item) => <TracksSection item={item} result={RESULT} playhead={{ seek: vi.fn(), nowS: () => 0 }} />,
    { subjectHost: () => ({ name: 'tab' }) as SubjectHost },
  );
});

it('a track of the person who stays visible is listed as visible, with its times', async () => {
  await expect.element(note).toHaveTextContent('Visible as the chosen person: 0:02.0 – 0:05.5');
  await expect.element(row(1)).toContainElement(note.element() as HTMLElement);
  await expect.element(tick(1)).not.toBeChecked();
  await expect.element(tick(0)).toBeChecked();
});

it('a track of the person who stays visible is hidden by its check box, and visible as before without it', async () => {
  await userEvent.click(tick(1));
  await expect.element(tick(1)).toBeChecked();
  await expect.element(note).not.toBeInTheDocument();
  expect(store.get().items[0]?.edits.present.objects).toEqual([{ id: 1, hidden: true }]);
  await userEvent.click(tick(1));
  await expect.element(tick(1)).not.toBeChecked();
  await expect.element(note).toBeVisible();
  expect(store.get().items[0]?.edits.present.objects).toEqual([]);
});

it('faces have a button that keeps their person visible, and other objects have none', async () => {
  const buttons = page.getByRole('button', { name: /^Keep visible …/ });
  await expect.element(buttons.first()).toBeVisible();
  expect(buttons.elements()).toHaveLength(2);
  await userEvent.click(buttons.first());
  await expect.element(page.getByRole('dialog', { name: 'Keep one person visible' })).toBeVisible();
});
