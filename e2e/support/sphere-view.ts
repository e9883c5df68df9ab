import type { Locator, Page } from '@playwright/test';

/** What the user sees of a panorama. */
export const sphereView = (page: Page): Locator => page.getByTestId('sphere').locator('canvas');

/** What the middle of the view shows, 0..255. */
export const shownGrey = (view: Locator): Promise<number> =>
  view.evaluate((canvas: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!;
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[0]!;
  });

/** Takes all memory of the graphics processor from the view, as a reset of it does, and lets the view have it again. */
export const resetGraphics = (view: Locator): Promise<void> =>
  view.evaluate(async (canvas: HTMLCanvasElement) => {
    const reset = canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!;
    const lost = new Promise((resolve) => canvas.addEventListener('webglcontextlost', resolve));
    reset.loseContext();
    await lost;
    await new Promise((resolve) => setTimeout(resolve)); // restoring is allowed once the event has ended
    reset.restoreContext();
  });
