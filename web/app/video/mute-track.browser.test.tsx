import { mutedPartOf } from '#shared/domain/edits/edits';
import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { NO_ITEM_EDITS } from '../../state/edit-history';
import { stateWith, videoResultWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { MuteTrack } from './mute-track';
import { useMuting } from './use-muting';
import type { Playback } from './use-playback';
import type { MediaItem } from '../../state/media-item';

const DURATION_S = 20;
const WIDTH_PX = 400;
/** Pointers stop at whole pixels. */
const NEAR_S = 0.2;

let nowS = 0;
const seek = vi.fn();
const PLAYBACK = {
  ...{ original: { current: null }, result: { current: null } },
  ...{ isPlaying: false, timeS: 0, durationS: DURATION_S, seek, currentTimeS: () => nowS },
} as unknown as Playback;

const Part = ({ item }: { readonly item: MediaItem }) => {
  const muting = useMuting(item, PLAYBACK, true);
  return (
    <div style={{ width: WIDTH_PX + 300 }}>
      {muting && <MuteTrack file={item.file} playback={PLAYBACK} muting={muting} />}
    </div>
  );
};

const track = page.getByTestId('mute-track');
const parts = page.getByTestId('muted-part');
let store: Awaited<ReturnType<typeof renderPart>>;
beforeEach(async () => {
  seek.mockClear();
  nowS = 0;
  const state = stateWith({ 'a.mp4': videoResultWith('task', []) });
  store = await renderPart(state, (item) => <Part item={item} />);
});

const stored = () => store.get().items[0]!.edits.present.mute ?? [];
const at = (seconds: number) => {
  const { width } = track.element().getBoundingClientRect();
  return { x: (seconds / DURATION_S) * width, y: 20 };
};
const drag = (fromS: number, toS: number) =>
  userEvent.dragAndDrop(track, track, { sourcePosition: at(fromS), targetPosition: at(toS) });
const expectParts = (...wanted: readonly (readonly [number, number])[]): void => {
  expect(stored()).toHaveLength(wanted.length);
  stored()
    .map(mutedPartOf)
    .forEach(({ start: startS, end: endS }, i) => {
      expect(Math.abs(startS - wanted[i]![0])).toBeLessThan(NEAR_S);
      expect(Math.abs(endS - wanted[i]![1])).toBeLessThan(NEAR_S);
    });
};

it('the waveform of the sound is drawn', async () => {
  await expect.element(page.getByTestId('waveform')).toBeInTheDocument();
});

it('a drag adds a part, one on the part moves it, and one on a border resizes it', async () => {
  await drag(4, 8);
  expectParts([4, 8]);
  await drag(6, 7);
  expectParts([5, 9]);
  await drag(8.9, 12);
  expectParts([5, 12]);
  await drag(14, 11);
  expectParts([5, 14]);
});

it('a press on the track goes to that moment and mutes nothing', async () => {
  await userEvent.click(track, { position: at(10) });
  expect(Math.abs(seek.mock.lastCall![0] - 10)).toBeLessThan(NEAR_S);
  expectParts();
});

it('M begins and ends a part at the position of the video', async () => {
  (track.element() as HTMLElement).focus();
  nowS = 12.5;
  await userEvent.keyboard('m');
  expectParts();
  nowS = 14;
  await userEvent.keyboard('m');
  expect(stored()).toEqual([[12.5, 14]]);
  await expect.element(page.getByRole('group', { name: 'Muted from 0:12.5 to 0:14.0' })).toBeVisible();
});

it('arrow keys move the focused part or border, with Shift by a second, and Delete removes the part', async () => {
  nowS = 3;
  await userEvent.click(page.getByRole('button', { name: 'Mute from here' }));
  nowS = 5;
  await userEvent.click(page.getByRole('button', { name: 'Mute until here' }));
  (parts.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}{Shift>}{ArrowRight}{/Shift}');
  expect(stored()).toEqual([[4.1, 6.1]]);
  await userEvent.tab();
  await expect.element(page.getByRole('slider', { name: 'Start of the muted part' })).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  await userEvent.tab();
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
  expect(stored()).toEqual([[4, 7.1]]);
  await userEvent.keyboard('{Delete}');
  expectParts();
  await expect.element(track).toHaveFocus();
});

it('the track has the focus after undoing has removed the focused part', async () => {
  nowS = 3;
  await userEvent.click(page.getByRole('button', { name: 'Mute from here' }));
  nowS = 5;
  await userEvent.click(page.getByRole('button', { name: 'Mute until here' }));
  (parts.element() as HTMLElement).focus();
  store.send({ type: 'edited', id: 'a.mp4', edit: { type: 'undone' } });
  await expect.element(parts).not.toBeInTheDocument();
  await expect.element(track).toHaveFocus();
});

it('pressing an arrow key several times is one step to undo', async () => {
  nowS = 3;
  await userEvent.click(page.getByRole('button', { name: 'Mute from here' }));
  nowS = 5;
  await userEvent.click(page.getByRole('button', { name: 'Mute until here' }));
  (parts.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(stored()).toEqual([[3.3, 5.3]]);
  store.send({ type: 'edited', id: 'a.mp4', edit: { type: 'undone' } });
  expect(stored()).toEqual([[3, 5]]);
});

it('a part is silence or a bleep, as chosen for the part that had the focus last', async () => {
  nowS = 3;
  await userEvent.click(page.getByRole('button', { name: 'Mute from here' }));
  nowS = 5;
  await userEvent.click(page.getByRole('button', { name: 'Mute until here' }));
  await drag(8, 10);
  (parts.first().element() as HTMLElement).focus();
  await userEvent.selectOptions(page.getByLabelText('Instead of the sound'), 'bleep');
  expect(stored()[0]).toEqual({ start: 3, end: 5, as: 'bleep' });
  expect(stored()[1]).toHaveLength(2);
  await expect.element(page.getByRole('group', { name: 'Bleep from 0:03.0 to 0:05.0' })).toBeVisible();
  await userEvent.selectOptions(page.getByLabelText('Instead of the sound'), 'silence');
  expect(stored()[0]).toEqual([3, 5]);
});

it('the track is zoomed by buttons and keys, and a part is marked where it is seen', async () => {
  const width = () => track.element().getBoundingClientRect().width;
  const fitted = width();
  await userEvent.click(page.getByRole('button', { name: 'Zoom in' }));
  expect(width()).toBeCloseTo(2 * fitted, 0);
  (track.element() as HTMLElement).focus();
  await userEvent.keyboard('-');
  expect(width()).toBeCloseTo(fitted, 0);
});

it('a muted part has a reason of its own, which it keeps when it becomes a bleep', async () => {
  const stated = { codes: [{ code: 'b6', label: 'Privacy' }], ofClasses: {}, details: {} };
  store.send({ type: 'settings-changed', settings: { ...store.get().settings, stated } });
  const edits = { ...NO_ITEM_EDITS, mute: [[1, 2]] } as const;
  store.send({ type: 'edited', id: 'a.mp4', edit: { type: 'replaced', edits } });
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Why it is muted' }), 'b6');
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Instead of the sound' }), 'bleep');
  expect(store.get().items[0]?.edits.present.mute).toEqual([{ start: 1, end: 2, as: 'bleep', reason: 'b6' }]);
});
