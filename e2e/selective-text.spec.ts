import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { downloadBy, drop, openApp, readDownload, waitForStatus } from './support/app';
import { expect, HOSTS, test } from './support/hosts';
import { readPixels, type Pixels } from './support/pixels';
import { upload } from './support/upload';

const FONT = join(
  import.meta.dirname,
  '../node_modules/@fontsource/roboto/files/roboto-latin-400-normal.woff2',
);

/** Lines of a notice on a door. */
const LINES = {
  heading: 'Opening hours',
  address: 'anna.keller@example.com',
  sign: 'Platform 2',
} as const;
type Line = keyof typeof LINES;

const NOTICE = `<style>
  @font-face { font-family: Sign; src: url(data:font/woff2;base64,${readFileSync(FONT).toString('base64')}) }
  body { margin: 30px; background: #fff; color: #35c; font: 32px/2.4 Sign }
</style>${Object.entries(LINES)
  .map(([name, text]) => `<div><span id="${name}">${text}</span></div>`)
  .join('')}`;

interface Notice {
  readonly png: Buffer;
  readonly pixels: Pixels;
  readonly boxes: Readonly<Record<Line, { x: number; y: number; width: number; height: number }>>;
}

const drawNotice = async (page: Page): Promise<Notice> => {
  await page.setViewportSize({ width: 640, height: 480 });
  await page.setContent(NOTICE);
  await page.evaluate(() => document.fonts.ready);
  const places = Object.keys(LINES).map(
    async (name) => [name, await page.locator(`#${name}`).boundingBox()] as const,
  );
  const boxes = Object.fromEntries(await Promise.all(places)) as Notice['boxes'];
  const png = await page.screenshot();
  return { png, pixels: await readPixels(png), boxes };
};

/** Shares of a line's ink that are black in a result, and that are as they were. */
const inkOf = ({ pixels, boxes }: Notice, result: Pixels, line: Line) => {
  const { x: left, y: top, width, height } = boxes[line];
  let [ink, black, same] = [0, 0, 0];
  for (let y = Math.floor(top); y < top + height; y++) {
    for (let x = Math.floor(left); x < left + width; x++) {
      const at = 3 * (y * pixels.width + x);
      const [before, after] = [pixels, result].map(({ data }) => [...data.subarray(at, at + 3)]);
      if (before![0]! > 150) continue;
      ink++;
      if (after!.every((value) => value === 0)) black++;
      if (after!.every((value, i) => value === before![i])) same++;
    }
  }
  return { black: black / ink, same: same / ink };
};

const CASES: readonly (readonly [query: string, visible: readonly Line[]])[] = [
  ['text-match=email', ['heading', 'sign']],
  [`text-match=${encodeURIComponent('/(?i)platform \\d/')}`, ['heading', 'address']],
  ['text-keep=Platform,2', ['sign']],
];

for (const host of HOSTS) {
  for (const [query, visible] of CASES) {
    const name = `${decodeURIComponent(query)} in the ${host} leaves these lines alone visible: ${visible.join(', ')}`;
    // Both hosts run the same engine, and the test of the panel below hides text in the page.
    const tag = host === 'page' ? '@slow' : [];
    test(name, { tag }, async ({ page, sendTo }) => {
      const notice = await drawNotice(page);
      const { anonymised } = await upload(sendTo[host], notice.png, `text=true&method=blacken&${query}`);
      const result = await readPixels(await anonymised());
      for (const line of Object.keys(LINES) as Line[]) {
        const expected = visible.includes(line) ? { black: 0, same: 1 } : { black: 1, same: 0 };
        expect.soft(inkOf(notice, result, line), line).toEqual(expected);
      }
    });
  }
}

test('the page hides the lines of the kinds that the user selects, and shows the others', async ({
  page,
}) => {
  const notice = await drawNotice(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await openApp(page);
  await drop(page, [{ name: 'notice.png', type: 'image/png', bytes: notice.png }]);
  await waitForStatus(page, 'notice.png', 'done');
  const panel = page.getByRole('complementary');
  await panel.getByRole('checkbox', { name: 'Text', exact: true }).check();
  await panel.getByRole('radio', { name: 'Blacken' }).check();
  await panel.getByText('Hide only some text').click();
  await panel.getByRole('checkbox', { name: 'E-mail addresses' }).check();
  await panel.getByRole('button', { name: 'Apply' }).click();
  await waitForStatus(page, 'notice.png', 'done');
  const result = await readPixels(await readDownload(await downloadBy(page, 'Download')));
  expect.soft(inkOf(notice, result, 'address')).toEqual({ black: 1, same: 0 });
  for (const line of ['heading', 'sign'] as const) {
    expect.soft(inkOf(notice, result, line), line).toEqual({ black: 0, same: 1 });
  }
});
