import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { View } from './views';

const THEMES = ['light', 'dark'] as const;
const SCREENS = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

/** The most used views, with the screens on which they are compared. */
const COMPARED: Partial<Record<View, readonly (keyof typeof SCREENS)[]>> = {
  welcome: ['wide', 'phone'],
  machine: ['wide'],
  picture: ['wide', 'phone'],
  editor: ['wide', 'phone'],
  video: ['wide', 'phone'],
  grid: ['wide', 'phone'],
  reference: ['wide'],
  bag: ['wide', 'phone'],
};

/** Scale of the compared screenshots. Rendering differences between browsers are smaller than a letter and vanish. */
const SCALE = 1 / 4;
/** Allowed colour difference per pixel, 0..1 (pixelmatch). A person does not notice smaller ones at once. */
const THRESHOLD = 0.06;
/** Allowed share of pixels with a larger difference. A missing button exceeds it. */
const DEFAULT_SHARE = 0.006;
/**
 * Strokes of a headline are wider than a pixel of the small screenshot, so rendering differences of their edges count.
 */
const SHARES: Partial<Record<View, number>> = { welcome: 0.02 };

/** Elements that show durations, addresses or free storage. */
const changing = (page: Page) =>
  ['facts', 'offline', 'server', 'speed'].map((name) => page.getByTestId(name));

/** Code uses a font of the system, which differs between machines. */
const useOwnTypeface = (page: Page): Promise<void> =>
  page.evaluate(() => document.documentElement.style.setProperty('--font-code', 'Roboto'));

const smallScreenshot = async (page: Page): Promise<Buffer> => {
  const mask = changing(page);
  const screen = await page.screenshot({ animations: 'disabled', caret: 'hide', mask, maskColor: '#888' });
  const { width } = await sharp(screen).metadata();
  const small = sharp(screen).resize({ width: Math.round(width * SCALE), kernel: 'mitchell' });
  return small.png({ compressionLevel: 9, palette: true }).toBuffer();
};

/**
 * Compares the screen with its stored screenshots, in both themes.
 * @see docs/decisions/0021-reduced-screenshots.md
 */
export const expectSameScreenshots = async (page: Page, view: View): Promise<void> => {
  const size = page.viewportSize();
  await useOwnTypeface(page);
  for (const screen of COMPARED[view] ?? []) {
    await page.setViewportSize(SCREENS[screen]);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const tolerance = { threshold: THRESHOLD, maxDiffPixelRatio: SHARES[view] ?? DEFAULT_SHARE };
      expect
        .soft(await smallScreenshot(page))
        .toMatchSnapshot(`${view}-${screen}-${colorScheme}.png`, tolerance);
    }
  }
  if (size) await page.setViewportSize(size);
};
