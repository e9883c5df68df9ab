import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { View } from './views';

const THEMES = ['light', 'dark'] as const;
const SCREENS = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

/** Those that are most of what people see, and on which screens. */
const COMPARED: Partial<Record<View, readonly (keyof typeof SCREENS)[]>> = {
  welcome: ['wide', 'phone'],
  machine: ['wide'],
  picture: ['wide', 'phone'],
  editor: ['wide', 'phone'],
  video: ['wide', 'phone'],
  grid: ['wide', 'phone'],
  reference: ['wide'],
};

/** How often a picture of the screen is made smaller: what browsers draw differently is smaller than a letter. */
const SCALE = 1 / 4;
/** Colours may differ by less than the eye sees at once, 0..1 (pixelmatch), */
const THRESHOLD = 0.06;
/** and so large a share of the small picture by more: a button that is gone is more. */
const USUAL_SHARE = 0.006;
/** Strokes of a headline are wider than a pixel of the small picture, so that their edges count. */
const SHARES: Partial<Record<View, number>> = { welcome: 0.02 };

/** What says how long something took, where it lies and how much room there is. */
const changing = (page: Page) =>
  ['facts', 'offline', 'server', 'speed'].map((name) => page.getByTestId(name));

/** Code is set in what the system has. */
const useOwnTypeface = (page: Page): Promise<void> =>
  page.evaluate(() => document.documentElement.style.setProperty('--font-code', 'Roboto'));

const smallPicture = async (page: Page): Promise<Buffer> => {
  const mask = changing(page);
  const screen = await page.screenshot({ animations: 'disabled', caret: 'hide', mask, maskColor: '#888' });
  const { width = 0 } = await sharp(screen).metadata();
  const small = sharp(screen).resize({ width: Math.round(width * SCALE), kernel: 'mitchell' });
  return small.png({ compressionLevel: 9, palette: true }).toBuffer();
};

/** Compares what is on the screen with how it looked before, in both themes. @see docs/decisions/0021-looks-are-compared-small.md */
export const expectSameLooks = async (page: Page, view: View): Promise<void> => {
  const size = page.viewportSize();
  await useOwnTypeface(page);
  for (const screen of COMPARED[view] ?? []) {
    await page.setViewportSize(SCREENS[screen]);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const tolerance = { threshold: THRESHOLD, maxDiffPixelRatio: SHARES[view] ?? USUAL_SHARE };
      expect
        .soft(await smallPicture(page))
        .toMatchSnapshot(`${view}-${screen}-${colorScheme}.png`, tolerance);
    }
  }
  if (size) await page.setViewportSize(size);
};
