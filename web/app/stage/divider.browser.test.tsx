import { useState, type ReactElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Divider } from './divider';

const STAGE = { width: 400, height: 200 };

const Stage = (): ReactElement => {
  const [share, setShare] = useState(0.5);
  return (
    <div data-testid="stage" style={{ ...STAGE, position: 'relative' }}>
      <Divider share={share} onMove={setShare} />
    </div>
  );
};

const divider = page.getByRole('slider');
const dragTo = (x: number): Promise<void> =>
  userEvent.dragAndDrop(divider, page.getByTestId('stage'), { targetPosition: { x, y: 100 } });

beforeEach(async () => {
  await render(<Stage />);
});

it('the divider between original and result follows the pointer', async () => {
  await dragTo(100);
  await expect.element(divider).toHaveAttribute('aria-valuenow', '25');
});

it('keys do not move the divider beyond the edges of the image', async () => {
  await userEvent.click(divider);
  await userEvent.keyboard('{Home}{ArrowLeft}');
  await expect.element(divider).toHaveAttribute('aria-valuenow', '0');
  await userEvent.keyboard('{End}{ArrowRight}');
  await expect.element(divider).toHaveAttribute('aria-valuenow', '100');
});

it('arrow keys move the divider in small steps, and a double click moves it to the middle', async () => {
  await userEvent.click(divider);
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  await expect.element(divider).toHaveAttribute('aria-valuenow', '46');
  await userEvent.dblClick(divider);
  await expect.element(divider).toHaveAttribute('aria-valuenow', '50');
});
