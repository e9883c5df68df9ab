/**
 * `npm run bench:page -- --photos 100 --size 4000x3000`: memory of the page's tab while photos are processed one after
 * another, printed after each ten photos. `-- --video drive.mp4`: the same while a video is processed, printed each
 * half a minute; `--product <folder>` takes another built product, as that with tiny models of the tests.
 * A measurement, not a test: it never fails.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { findChromium } from '../run/find-chromium';
import { openApp } from '../support/app';
import { startServer } from '../support/start-server';
import { head, row } from './markdown';
import { makeImage } from './images';
import { residentMiB } from './resident';
import { processesOfPages } from './run-in-page';

endWhenOutputCloses();

const MIB = 1024 ** 2;
const AT_ONCE = 10;
/** Time limit for ten photos. */
const LIMIT_MS = 30 * 60_000;
/** Between two samples of a video's memory. */
const SAMPLE_MS = 1_000;
/** Between two printed rows of a video. */
const REPORT_S = 30;

const { values } = parseArgs({
  options: {
    photos: { type: 'string', default: '100' },
    size: { type: 'string', default: '1280x720' },
    video: { type: 'string' },
    product: { type: 'string' },
  },
});
const photos = Number(values.photos);
const [width = 0, height = 0] = values.size.split('x').map(Number);

/** Memory of page and workers as reported by the browser; NaN if it does not report it. */
const measuredBytes = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { measureUserAgentSpecificMemory: measure } = performance as unknown as {
      measureUserAgentSpecificMemory?: () => Promise<{ readonly bytes: number }>;
    };
    return measure ? (await measure.call(performance)).bytes : Number.NaN;
  }) as Promise<number>;

const residentOfPages = async (browser: Browser): Promise<number> =>
  (await processesOfPages(browser)).reduce((sum, pid) => sum + residentMiB(pid), 0);

/** Measures after a garbage collection, so that only memory in use is counted. */
const sample = async (browser: Browser, page: Page, session: CDPSession): Promise<readonly string[]> => {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  const resident = await residentOfPages(browser);
  const all = (await measuredBytes(page)) / MIB;
  return [
    resident.toFixed(0),
    all.toFixed(0),
    (metric('JSHeapUsedSize') / MIB).toFixed(1),
    metric('Nodes').toFixed(0),
  ];
};

const measureVideo = async (browser: Browser, origin: string, path: string): Promise<void> => {
  const page = await browser.newPage();
  await openApp(page, origin);
  console.log(head(['Seconds', 'Progress', 'Resident MiB', 'Peak so far MiB']));
  const start = performance.now();
  const seconds = (): number => Math.round((performance.now() - start) / 1000);
  await page.getByTestId('file-input').setInputFiles(path);
  const ended = page.getByTestId('batch-progress').filter({ hasText: '1 of 1 ' });
  let peak = 0;
  let printedAt = -REPORT_S;
  for (let isDone = false; !isDone;) {
    isDone = (await ended.count()) > 0;
    const resident = await residentOfPages(browser);
    peak = Math.max(peak, resident);
    if (isDone || seconds() - printedAt >= REPORT_S) {
      printedAt = seconds();
      const progress = await page.getByTestId('batch-progress').textContent();
      console.log(row([printedAt, progress ?? '', resident.toFixed(0), peak.toFixed(0)]));
    }
    await setTimeout(SAMPLE_MS);
  }
};

const measure = async (browser: Browser, origin: string, folder: string): Promise<void> => {
  const page = await browser.newPage();
  await openApp(page, origin);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const columns = [
    'Photos done',
    'Resident MiB',
    'Page and workers MiB',
    'JS heap of the page MiB',
    'DOM nodes',
  ];
  console.log(head(columns));
  console.log(row([0, ...(await sample(browser, page, session))]));
  const image = await makeImage(width, height);
  for (let done = 0; done < photos; done += AT_ONCE) {
    const names = Array.from(
      { length: Math.min(AT_ONCE, photos - done) },
      (_, i) => `photo ${done + i + 1}.jpg`,
    );
    const paths = names.map((name) => join(folder, name));
    for (const path of paths) writeFileSync(path, image);
    await page.getByTestId('file-input').setInputFiles(paths);
    const all = done + names.length;
    const progress = page.getByTestId('batch-progress').filter({ hasText: `${all} of ${all} ` });
    await progress.waitFor({ timeout: LIMIT_MS });
    console.log(row([all, ...(await sample(browser, page, session))]));
  }
};

const main = async (): Promise<void> => {
  console.log(`${values.video ?? `${photos} photos of ${width} × ${height}`}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'veil-page-memory-'));
  const server = await startServer([], values.product && resolve(values.product));
  const browser = await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    if (values.video === undefined) await measure(browser, server.origin, folder);
    else await measureVideo(browser, server.origin, values.video);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
};

await main();
