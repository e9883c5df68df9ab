import { useState, type ReactElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Bbox } from '#shared/domain/boxes';
import { boxOf } from '#shared/testing/plans';
import type { MediaItem } from '../../state/media-item';
import { ITEM_SIZE, resultWith, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { INITIAL_REVIEW } from '../review/tools';
import { StageCanvas } from './stage-canvas';

/** An image of 400 × 300 px is enlarged at most to this scale. */
const SCALE = 2;
const STAGE = { width: ITEM_SIZE.width * SCALE, height: ITEM_SIZE.height * SCALE };

const FACE = { objectClass: 'face', box: boxOf(100, 100, 159, 159) } as const;
const SMALL_FACE = { objectClass: 'face', box: boxOf(300, 200, 303, 203) } as const;

const Editor = ({ item }: { readonly item: MediaItem }): ReactElement => {
  const review = { ...INITIAL_REVIEW, isOn: true };
  const [options, setOptions] = useState({ divider: 0.5, hasBoxes: false, review });
  return (
    <div style={{ display: 'grid', gridTemplateRows: `${STAGE.height}px auto`, width: STAGE.width }}>
      <StageCanvas item={item} options={options} onOptions={setOptions} />
    </div>
  );
};

const stage = page.getByTestId('stage');
const objects = page.getByTestId('object');
const at = (x: number, y: number) => ({ x: x * SCALE, y: y * SCALE });

let store: Awaited<ReturnType<typeof renderPart>>;
const edits = () => store.get().items[0]!.edits.present;

/** The pointer has whole screen px, and a handle is next to the corner that it moves. */
const NEAR_PX = 4;
const expectNear = (bbox: Bbox | undefined, wanted: Bbox): void => {
  for (const [side, at] of wanted.entries()) {
    expect(Math.abs((bbox?.[side] ?? Number.NaN) - at), `side ${side}`).toBeLessThan(NEAR_PX);
  }
};

beforeEach(async () => {
  const found = resultWith('task', [FACE, SMALL_FACE]);
  store = await renderPart(stateWith({ 'a.jpg': found }), (item) => <Editor item={item} />);
  await expect.poll(() => objects.elements().length).toBe(2);
});

it('a dragged object moves by the distance in px of the image', async () => {
  const middle = at(30, 30);
  await userEvent.dragAndDrop(objects.first(), stage, {
    sourcePosition: middle,
    targetPosition: at(230, 180),
  });
  expectNear(edits().objects[0]?.bbox, [200, 150, 259, 209]);
});

it('a dragged handle moves its corner, and the other corners stay', async () => {
  await userEvent.click(objects.first());
  const corner = stage.element().querySelector<HTMLElement>('[data-handle=se]')!;
  await userEvent.dragAndDrop(corner, stage, { targetPosition: at(203, 183) });
  expectNear(edits().objects[0]?.bbox, [100, 100, 200, 180]);
});

it('a small object can be selected by a press next to its edge, within 24 screen px', async () => {
  await userEvent.click(stage, { position: { x: 302 * SCALE + 10, y: 202 * SCALE } });
  await expect.element(objects.nth(1)).toHaveFocus();
});

it('keys move, switch off and delete the focused object; after that the next object has the focus', async () => {
  await userEvent.click(objects.first());
  await userEvent.keyboard('{ArrowRight}');
  expect(edits().objects[0]?.bbox?.[0]).toBeGreaterThan(100);
  await userEvent.keyboard('{Enter}');
  await expect.element(objects.first()).toHaveAttribute('aria-pressed', 'false');
  await userEvent.keyboard('{Delete}');
  await expect.poll(() => objects.elements().length).toBe(1);
  await expect.element(objects.first()).toHaveFocus();
});

it('the rectangle tool adds an object at the place where it was drawn', async () => {
  await userEvent.click(page.getByRole('radio', { name: 'Hide a rectangle' }));
  await userEvent.dragAndDrop(stage, stage, { sourcePosition: at(20, 20), targetPosition: at(80, 60) });
  await expect.poll(() => objects.elements().length).toBe(3);
  const [area] = edits().areas;
  expectNear(area?.shape === 'box' ? area.bbox : undefined, [20, 20, 80, 60]);
});

it('undo reverts a whole drag in one step', async () => {
  await userEvent.dragAndDrop(objects.first(), stage, {
    sourcePosition: at(30, 30),
    targetPosition: at(230, 180),
  });
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(edits().objects).toEqual([]);
});

const always = page.getByRole('radio', { name: 'Always hide an area' });

it('an area that is always hidden is drawn, moved and deleted as other areas, and undone', async () => {
  await userEvent.click(always);
  await userEvent.dragAndDrop(stage, stage, { sourcePosition: at(20, 20), targetPosition: at(80, 60) });
  await expect.poll(() => objects.elements().length).toBe(3);
  const [area] = edits().hides ?? [];
  expect(area && 'width' in area && [area.topLeftX, area.width].map((px) => Math.round(px / 10))).toEqual([
    2, 6,
  ]);
  const before = edits().hides;
  await userEvent.keyboard('{ArrowRight}');
  expect(edits().hides).not.toEqual(before);
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Method' }), 'blacken');
  expect(edits().hides?.[0]?.method).toBe('blacken');
  await objects.nth(2).click();
  await userEvent.keyboard('{Delete}');
  expect(edits().hides).toEqual([]);
  for (let step = 0; step < 3; step++) await userEvent.keyboard('{Control>}z{/Control}');
  expect(edits().hides).toEqual(before);
});

it('pressed points are the corners of a polygon that is always hidden; a press on the first one closes it', async () => {
  await userEvent.click(always);
  for (const [x, y] of [
    [20, 20],
    [90, 20],
    [90, 80],
    [20, 20],
  ] as const) {
    // oxfmt-ignore
    expect(edits().hides).toBeUndefined();
    await userEvent.click(stage, { position: at(x, y) });
  }
  expect(edits().hides).toEqual([{ key: -1, points: [[20, 20], [90, 20], [90, 80]] }]); // oxfmt-ignore
});

it('a polygon whose sides cross is refused with a sentence, and Escape removes its corners', async () => {
  await userEvent.click(always);
  const corners = [[20, 20], [90, 80], [90, 20], [20, 80]] as const; // oxfmt-ignore
  for (const [x, y] of corners) await userEvent.click(stage, { position: at(x, y) });
  await expect.element(page.getByText('The sides must not cross.')).toBeVisible();
  await userEvent.click(stage, { position: at(20, 20) });
  expect(edits().hides).toBeUndefined();
  await userEvent.keyboard('{Escape}{Enter}');
  expect(edits().hides).toHaveLength(1);
});

const stated = {
  codes: [
    { code: 'b6', label: 'Personal privacy', colour: '#45c4ff' },
    { code: 'b7C', label: 'Law enforcement' },
  ],
  ofClasses: { face: 'b6' },
  details: {},
};
const reason = page.getByRole('combobox', { name: 'Reason' });
const state = () => store.send({ type: 'settings-changed', settings: { ...store.get().settings, stated } });

it('without codes there is no list of reasons, and the keys 1 to 9 do nothing', async () => {
  await userEvent.click(objects.first());
  await userEvent.keyboard('1');
  expect(edits().objects).toEqual([]);
  await expect.element(reason).not.toBeInTheDocument();
});

it('the selected object has a list of reasons, and the keys 1 to 9 give it one, which is undone as other edits', async () => {
  state();
  await userEvent.click(objects.first());
  await expect.element(reason).toHaveDisplayValue('b6 (object type)');
  await userEvent.keyboard('2');
  expect(edits().objects).toEqual([{ id: 0, reason: 'b7C' }]);
  await expect.element(objects.first()).toHaveTextContent('b7C');
  await userEvent.keyboard('3');
  expect(edits().objects).toEqual([{ id: 0, reason: 'b7C' }]);
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(edits().objects).toEqual([]);
  await userEvent.selectOptions(reason, 'b6');
  expect(edits().objects).toEqual([{ id: 0, reason: 'b6' }]);
});

it('an area that is always hidden can have a reason, too', async () => {
  state();
  await userEvent.click(always);
  (stage.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => objects.elements().length).toBe(3);
  await userEvent.selectOptions(reason, 'b7C');
  expect(edits().hides?.[0]?.reason).toBe('b7C');
});
