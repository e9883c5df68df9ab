import { useState, type ReactElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Box } from '#shared/domain/boxes';
import { boxOf } from '#shared/testing/plans';
import type { MediaItem } from '../../state/media-item';
import { PICTURE_SIZE, resultWith, stateWith } from '../../testing/pictures';
import { renderPart } from '../../testing/render-part';
import { INITIAL_REVIEW } from '../review/tools';
import { StageCanvas } from './stage-canvas';

/** Two to one: a picture of 400 × 300 is enlarged so far. */
const SCALE = 2;
const STAGE = { width: PICTURE_SIZE.width * SCALE, height: PICTURE_SIZE.height * SCALE };

const FACE = { objectClass: 'face', box: boxOf(100, 100, 159, 159) } as const;
const SMALL_FACE = { objectClass: 'face', box: boxOf(300, 200, 303, 203) } as const;

const Editor = ({ picture }: { readonly picture: MediaItem }): ReactElement => {
  const review = { ...INITIAL_REVIEW, isOn: true };
  const [options, setOptions] = useState({ divider: 0.5, hasBoxes: false, review });
  return (
    <div style={{ display: 'grid', gridTemplateRows: `${STAGE.height}px auto`, width: STAGE.width }}>
      <StageCanvas picture={picture} options={options} onOptions={setOptions} />
    </div>
  );
};

const stage = page.getByTestId('stage');
const objects = page.getByTestId('object');
const at = (x: number, y: number) => ({ x: x * SCALE, y: y * SCALE });

let store: Awaited<ReturnType<typeof renderPart>>;
const edits = () => store.get().pictures[0]!.edits.present;

/** Pointers stop at whole pixels of the screen, and handles lie beside the corner that they move. */
const NEAR_PX = 4;
const expectNear = (box: Box | undefined, wanted: Box): void => {
  for (const side of ['x1', 'y1', 'x2', 'y2'] as const) {
    expect(Math.abs((box?.[side] ?? Number.NaN) - wanted[side]), side).toBeLessThan(NEAR_PX);
  }
};

beforeEach(async () => {
  const found = resultWith('task', [FACE, SMALL_FACE]);
  store = await renderPart(stateWith({ 'a.jpg': found }), (picture) => <Editor picture={picture} />);
  await expect.poll(() => objects.elements().length).toBe(2);
});

it('an object goes where it is dragged, by pixels of the picture', async () => {
  const middle = at(30, 30);
  await userEvent.dragAndDrop(objects.first(), stage, {
    sourcePosition: middle,
    targetPosition: at(230, 180),
  });
  expectNear(edits().changes[0]?.box, boxOf(200, 150, 259, 209));
});

it('a handle that is dragged moves its corner, and the others stay', async () => {
  await userEvent.click(objects.first());
  const corner = stage.element().querySelector<HTMLElement>('[data-handle=se]')!;
  await userEvent.dragAndDrop(corner, stage, { targetPosition: at(203, 183) });
  expectNear(edits().changes[0]?.box, boxOf(100, 100, 200, 180));
});

it('an object of a few pixels can be hit beside its edge: 24 px are its own', async () => {
  await userEvent.click(stage, { position: { x: 302 * SCALE + 10, y: 202 * SCALE } });
  await expect.element(objects.nth(1)).toHaveFocus();
});

it('keys move, switch off and delete the object that has the focus, which goes on to the next', async () => {
  await userEvent.click(objects.first());
  await userEvent.keyboard('{ArrowRight}');
  expect(edits().changes[0]?.box?.x1).toBeGreaterThan(100);
  await userEvent.keyboard('{Enter}');
  await expect.element(objects.first()).toHaveAttribute('aria-pressed', 'false');
  await userEvent.keyboard('{Delete}');
  await expect.poll(() => objects.elements().length).toBe(1);
  await expect.element(objects.first()).toHaveFocus();
});

it('what is drawn with the rectangle is an object of the picture, at the place where it was drawn', async () => {
  await userEvent.click(page.getByRole('radio', { name: 'Hide a rectangle' }));
  await userEvent.dragAndDrop(stage, stage, { sourcePosition: at(20, 20), targetPosition: at(80, 60) });
  await expect.poll(() => objects.elements().length).toBe(3);
  const { outline } = edits().drawn[0]!;
  expectNear(outline.kind === 'box' ? outline.box : undefined, boxOf(20, 20, 80, 60));
});

it('a whole drag is one step back', async () => {
  await userEvent.dragAndDrop(objects.first(), stage, {
    sourcePosition: at(30, 30),
    targetPosition: at(230, 180),
  });
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(edits().changes).toEqual({});
});
