import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import type { HiddenArea } from '#shared/domain/hidden-areas';
import type { Box } from '#shared/domain/boxes';
import { renderPart } from '../../testing/render-part';
import { resultWith, stateWith } from '../../testing/items';
import { DrawBox } from './draw-box';
import type { ChangedTrack } from './changed-track';

/** Twice its size on the screen. */
const IMAGE = { width: 800, height: 600 };
const SCALE = 2;
const PLACEMENT = { left: 20, top: 10, width: 400, height: 300 };
/** Pointers stop at whole pixels of the screen. */
const NEAR_PX = 4;

const box = page.getByRole('group', { name: 'Drawn box' });
const layer = page.getByTestId('draw-box');
const onDone = vi.fn<(box: Box) => void>();
const onAlways = vi.fn<(areas: readonly HiddenArea[]) => void>();
const always = page.getByRole('button', { name: 'Always hide here' });

/** A point of the video in the layer, in px of the screen. */
const at = (x: number, y: number) => ({ x: PLACEMENT.left + x / SCALE, y: PLACEMENT.top + y / SCALE });

const expectBox = async (wanted: Box): Promise<void> => {
  await userEvent.click(page.getByRole('button', { name: 'Hide from here on' }));
  const [done] = onDone.mock.lastCall!;
  for (const side of ['x1', 'y1', 'x2', 'y2'] as const) {
    expect(Math.abs(done[side] - wanted[side]), side).toBeLessThanOrEqual(NEAR_PX);
  }
};

const onChanged = vi.fn<(track: ChangedTrack) => void>();

const render = async (changed?: ChangedTrack): Promise<void> => {
  await renderPart(stateWith({ 'a.mp4': resultWith('task', []) }), () => (
    <div style={{ position: 'relative', width: 440, height: 420 }}>
      <DrawBox
        placement={PLACEMENT}
        image={IMAGE}
        onDone={onDone}
        onAlways={onAlways}
        changed={changed}
        onChanged={onChanged}
        onCancel={() => undefined}
      />
    </div>
  ));
};

beforeEach(async () => {
  onDone.mockClear();
  onAlways.mockClear();
  await render();
});

it('the box begins in the centre of the frame, has the focus, and moves by keys', async () => {
  await expect.element(box).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expectBox({ x1: 316, y1: 225, x2: 516, y2: 375 });
});

it('a drag on the frame draws a new box, and one on the box moves it', async () => {
  await userEvent.dragAndDrop(layer, layer, { sourcePosition: at(40, 20), targetPosition: at(240, 120) });
  await userEvent.dragAndDrop(layer, layer, { sourcePosition: at(140, 70), targetPosition: at(240, 170) });
  await expectBox({ x1: 140, y1: 120, x2: 340, y2: 220 });
});

it('each side and corner has a handle, also at the edge of the frame', async () => {
  await userEvent.dragAndDrop(layer, layer, { sourcePosition: at(400, 300), targetPosition: at(-800, -600) });
  await userEvent.dragAndDrop(layer, layer, { sourcePosition: at(-12, 150), targetPosition: at(88, 150) });
  await expectBox({ x1: 100, y1: 0, x2: 200, y2: 150 });
});

it('a press without a movement keeps the box behind the corner that it sets, which Escape removes', async () => {
  await userEvent.click(layer, { position: at(40, 40) });
  await expect.element(page.getByRole('button', { name: 'Hide from here on' })).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  await expectBox({ x1: 300, y1: 225, x2: 500, y2: 375 });
});

it('the box can be hidden always, whatever is there', async () => {
  await userEvent.click(always);
  expect(onAlways).toHaveBeenCalledExactlyOnceWith([
    { topLeftX: 300, topLeftY: 225, width: 200, height: 150 },
  ]);
});

it('pressed points are the corners of a polygon, which can be hidden once it has three and none of its sides cross', async () => {
  for (const [x, y] of [
    [40, 40],
    [640, 40],
    [640, 500],
  ] as const) {
    // oxfmt-ignore
    await expect.element(always)[x === 40 ? 'toBeEnabled' : 'toBeDisabled']();
    await userEvent.click(layer, { position: at(x, y) });
  }
  await userEvent.click(always);
  const [[area]] = onAlways.mock.lastCall!;
  expect(
    area && 'points' in area && area.points.map(([x, y]) => [Math.round(x / 20), Math.round(y / 20)]),
  ).toEqual([
    [2, 2],
    [32, 2],
    [32, 25],
  ]);
});

it('the box of a track begins at its place, and is changed together with its class', async () => {
  const track = { id: 3, atS: 1, box: { x1: 100, y1: 100, x2: 200, y2: 180 }, objectClass: 'face' } as const;
  await cleanup();
  await render(track);
  await expect.element(always).not.toBeInTheDocument();
  await expect.element(box).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Object type' }), 'person');
  await userEvent.click(page.getByRole('button', { name: 'Change', exact: true }));
  const [done] = onChanged.mock.lastCall!;
  expect(done).toMatchObject({ id: 3, atS: 1, objectClass: 'person' });
  expect(done.box.x1).toBeGreaterThan(100);
  expect(done.box.x2 - done.box.x1).toBe(100);
});
