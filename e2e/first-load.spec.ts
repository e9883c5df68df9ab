import { openApp } from './support/app';
import { sumOf, watchFiles } from './support/first-load';
import { expect, test } from './support/hosts';

/** What a phone on a slow line loads in a second or two. */
const MOST_SCRIPT_BYTES = 350_000;

test('a page that is ready for the first picture has run less than 350 kB of JavaScript, gzipped', async ({
  context,
  page,
  origin,
}) => {
  const { byPage } = watchFiles(context, origin);
  await openApp(page);
  await page.locator('html[data-api=page]').waitFor();
  const scripts = [...byPage.values()].filter(({ kind }) => kind === 'script');
  expect(scripts.map(({ path }) => path).join(' ')).toMatch(
    /engine-worker.*mount-msw|mount-msw.*engine-worker/,
  );
  expect(sumOf(scripts).gzip).toBeLessThan(MOST_SCRIPT_BYTES);
});
