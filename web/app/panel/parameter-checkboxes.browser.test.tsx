import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultWith, SETTINGS, stateWith, videoResultWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';

import { Panel } from './panel';

const mute = page.getByRole('checkbox', { name: 'Remove the audio of videos' });
const renderPanel = (results: Parameters<typeof stateWith>[0]) =>
  renderPart(stateWith(results), () => (
    <Panel item={undefined} playhead={{ seek: () => undefined, nowS: () => 0 }} />
  ));

it('videos keep their audio until the user removes it by keyboard', async () => {
  const store = await renderPanel({ a: resultWith('a', []), 'clip.mp4': videoResultWith('b', []) });
  await expect.element(mute).not.toBeChecked();
  (mute.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(mute).toBeChecked();
  expect(store.get().settings).toEqual({ ...SETTINGS, audio: 'mute' });
});

it('without a video in the list nothing about audio is asked', async () => {
  await renderPanel({ a: resultWith('a', []) });
  await expect.element(page.getByRole('group', { name: 'Method', exact: true })).toBeVisible();
  expect(mute.elements()).toHaveLength(0);
});
