import type { ReactElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { MediaItem } from '../../state/media-item';
import { stateWith, videoResultWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { UndoButtons, useUndoKeys, useUndoing } from './undoing';
import { TracksSection } from '../video/tracks-section';

const RESULT = videoResultWith('task', [{ firstS: 0, lastS: 1, bestS: 0, frames: 2 }]);

const Part = ({ item }: { readonly item: MediaItem }): ReactElement => {
  const undoing = useUndoing(item, true, false);
  useUndoKeys(undoing);
  return (
    <>
      <TracksSection item={item} result={RESULT} playhead={{ seek: () => undefined, nowS: () => 0 }} />
      <UndoButtons undoing={undoing} />
      <input aria-label="name" />
      <p role="status">{undoing.news}</p>
    </>
  );
};

const tick = page.getByTestId('track').getByRole('checkbox');
const undo = page.getByRole('button', { name: 'Undo' });
const redo = page.getByRole('button', { name: 'Redo' });

let store: Awaited<ReturnType<typeof renderPart>>;
const visible = () => store.get().items[0]!.edits.present.objects.map(({ id }) => id);
beforeEach(async () => {
  store = await renderPart(stateWith({ 'a.mp4': RESULT }), (item) => <Part item={item} />);
});

it('the buttons undo and redo the edits of a video, and are disabled where there is nothing to do', async () => {
  await expect.element(undo).toBeDisabled();
  await userEvent.click(tick);
  await expect.element(redo).toBeDisabled();
  await userEvent.click(undo);
  expect(visible()).toEqual([]);
  await expect.element(tick).toBeChecked();
  await expect.element(page.getByText('Undone')).toBeInTheDocument();
  await expect.element(undo).toBeDisabled();
  await userEvent.click(redo);
  expect(visible()).toEqual([0]);
});

it('the keys of the image editor undo and redo, wherever the focus is, but for text fields and dialogs', async () => {
  await userEvent.click(tick);
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(visible()).toEqual([]);
  await userEvent.keyboard('{Control>}{Shift>}Z{/Shift}{/Control}');
  expect(visible()).toEqual([0]);
  await userEvent.keyboard('{Control>}z{/Control}{Control>}y{/Control}');
  expect(visible()).toEqual([0]);
  await userEvent.click(page.getByRole('textbox', { name: 'name' }));
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(visible()).toEqual([0]);
  (tick.element() as HTMLElement).focus();
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.showModal();
  await userEvent.keyboard('{Control>}z{/Control}');
  dialog.remove();
  expect(visible()).toEqual([0]);
});
