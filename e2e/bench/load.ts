/**
 * `npm run bench:load`: bytes and time until the page can be used and until it can process an image, for a first visit
 * and for a visit from stored files. A measurement, not a test: it never fails.
 */
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { DEFAULT_CLASSES, OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import { defaultImageOptions } from '#shared/domain/options';
import { allModels, chooseModels } from '#shared/engine/packs/choose';
import { readManifest } from '../../server/adapters/model-files';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { findChromium } from '../run/find-chromium';
import { drop, jpegFile, waitForStatus } from '../support/app';
import { type LoadedFile, sumOf, watchFiles } from '../support/first-load';
import { smallSample } from '../support/samples';
import { startServer } from '../support/start-server';
import { head, machine, row } from './markdown';
import { percentile, sorted } from './percentile';
import { type LoadTimes, readTimes, watchTimes } from './load-times';
import { makeImage } from './images';

endWhenOutputCloses();

const PHOTO_PX = [1280, 720] as const;
const CLASS_CHOICES: readonly (readonly ObjectClass[])[] = [
  ['face'],
  ['license-plate'],
  ['face', 'license-plate'],
  ['person'],
  ['vehicle'],
  ['text'],
  DEFAULT_CLASSES,
  OBJECT_CLASSES,
];
const VISITS = 5;
const LIMIT_MS = 120_000;

const table = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]): void => {
  console.log(`\n${head(columns)}`);
  for (const cells of rows) console.log(row(cells));
};

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0);

/** Prints a row for each kind of file, and the sum. */
const printSizes = (title: string, files: ReadonlyMap<string, LoadedFile>): void => {
  const all = [...files.values()];
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const rowOf = (name: string, some: readonly LoadedFile[]): readonly (string | number)[] => {
    const { raw, gzip, brotli } = sumOf(some);
    return [name, some.length, kilobytes(raw), kilobytes(gzip), kilobytes(brotli)];
  };
  const rows = kinds.map((kind) =>
    rowOf(
      kind,
      all.filter((file) => file.kind === kind),
    ),
  );
  table([title, 'Files', 'kB', 'kB gzip', 'kB brotli'], [...rows, rowOf('all', all)]);
};

const waitForEngine = (page: Page): Promise<void> =>
  page.locator('[data-testid=engine][data-state=ready]').waitFor({ timeout: LIMIT_MS });

/** Opens the page in a new tab and waits until its models are loaded. */
const visit = async (context: BrowserContext, origin: string): Promise<Page> => {
  const page = await context.newPage();
  await watchTimes(page);
  await page.goto(origin);
  await waitForEngine(page);
  return page;
};

/** Waits until all files for offline use are stored. */
const waitForStored = async (page: Page): Promise<void> => {
  await page.getByTestId('engine').click();
  await page.locator('[data-testid=offline][data-state=stored]').waitFor({ timeout: LIMIT_MS });
};

interface Visits {
  readonly first: LoadTimes;
  readonly again: LoadTimes;
  /** From the navigation to the result of a photo that is dropped as soon as possible, with stored files, in ms. */
  readonly photoMs: number;
}

const measureFirstPhoto = async (context: BrowserContext, origin: string): Promise<number> => {
  const photo = jpegFile('photo.jpg', await makeImage(...PHOTO_PX));
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(origin);
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  await drop(page, [photo]);
  await waitForStatus(page, 'photo.jpg', 'done');
  const photoMs = performance.now() - start;
  await page.close();
  return photoMs;
};

/** A first visit, then a visit without a network. */
const measureVisits = async (browser: Browser, origin: string): Promise<Visits> => {
  const context = await browser.newContext();
  const page = await visit(context, origin);
  const first = await readTimes(page);
  await waitForStored(page);
  await page.close();
  await context.setOffline(true);
  const second = await visit(context, origin);
  const again = await readTimes(second);
  await second.close();
  const photoMs = await measureFirstPhoto(context, origin);
  await context.close();
  return { first, again, photoMs };
};

/** Prints the files that are loaded up to each point of a first visit. */
const printFiles = async (browser: Browser, origin: string): Promise<void> => {
  const context = await browser.newContext();
  const files = watchFiles(context, origin);
  const page = await context.newPage();
  await page.goto(origin);
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  printSizes('Before the page can be used', files.byPage);
  await waitForEngine(page);
  await page.locator('html[data-api=page]').waitFor();
  printSizes('Before a file is dropped', files.byPage);
  await drop(page, [jpegFile('street.jpg', await smallSample(1))]);
  await waitForStatus(page, 'street.jpg', 'done');
  printSizes('Before the first image is done', files.byPage);
  await waitForStored(page);
  printSizes('Stored by the service worker in the meantime', files.byServiceWorker);
  await context.close();
};

const printTimes = (visits: readonly Visits[]): void => {
  const rowOf = (name: string, of: (one: Visits) => LoadTimes): readonly (string | number)[] => {
    const middle = (pick: (times: LoadTimes) => number): string =>
      percentile(sorted(visits.map((one) => pick(of(one)))), 0.5).toFixed(0);
    const shift = Math.max(...visits.map((one) => of(one).layoutShift));
    const times = [
      (t: LoadTimes) => t.paintMs,
      (t: LoadTimes) => t.usableMs,
      (t: LoadTimes) => t.interactiveMs,
    ];
    return [name, ...times.map(middle), middle((t) => t.readyMs), middle((t) => t.blockedMs), shift];
  };
  table(
    [
      `Median of ${visits.length}, ms`,
      'First paint',
      'Button shown',
      'Interactive',
      'Models ready',
      'Blocked',
      'Layout shift',
    ],
    [rowOf('first visit', ({ first }) => first), rowOf('again, no network', ({ again }) => again)],
  );
  const photoMs = sorted(visits.map((one) => one.photoMs));
  const columns = [
    `Photo of ${PHOTO_PX.join(' × ')}, again, no network`,
    'Result after ms, median',
    'Longest',
  ];
  table(columns, [
    ['all default classes', percentile(photoMs, 0.5).toFixed(0), percentile(photoMs, 1).toFixed(0)],
  ]);
};

/** Prints the bytes of the models that each choice of classes loads. */
const printModels = async (): Promise<void> => {
  const manifest = await readManifest(join(import.meta.dirname, '../../models'));
  const rows = CLASS_CHOICES.map((classes) => {
    const models = allModels(chooseModels(manifest, defaultImageOptions({ classes })));
    const unique = [...new Set(models)];
    const bytes = unique.reduce((sum, one) => sum + one.bytes, 0);
    return [classes.join(', '), kilobytes(bytes), unique.map(({ id }) => id).join(', ')];
  });
  table(['Classes', 'kB of models', 'Models'], rows);
};

const main = async (): Promise<void> => {
  console.log(machine());
  await printModels();
  const server = await startServer();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    await printFiles(browser, server.origin);
    const visits: Visits[] = [];
    for (let i = 0; i < VISITS; i += 1) visits.push(await measureVisits(browser, server.origin));
    printTimes(visits);
  } finally {
    await browser.close();
    await server.stop();
  }
};

await main();
