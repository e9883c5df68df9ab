import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { createServer, type ViteDevServer } from 'vite';
import { findChromium } from '../run/find-chromium';
import type { InPage, runCase } from './in-page';
import { jobOptions, middleOf, type Case, type Measured } from './job';
import { makePicture } from './pictures';

const ROOT = join(import.meta.dirname, '../..');

/** Highest memory in MiB that any of the browser's pages has held, by what Linux says of its process. */
const peakOfPages = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(async ({ id }) => {
      const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    });
  return Math.max(...(await Promise.all(peaks)));
};

/** Serves the page's modules one by one, isolated as the product's page is: the built page has no door to its engine. */
export const servePage = async (): Promise<ViteDevServer> => {
  const server = { port: 0, host: '127.0.0.1', fs: { allow: [ROOT] } };
  return (await createServer({ logLevel: 'error', server })).listen();
};

const runInBrowser = async (
  browser: Browser,
  origin: string,
  { size, classes, runs }: Case,
): Promise<Measured> => {
  const page = await browser.newPage();
  await page.goto(`${origin}/icon.svg`);
  const parameters: InPage = {
    warmUp: (await makePicture(640, 480)).toString('base64'),
    picture: (await makePicture(...size)).toString('base64'),
    job: jobOptions(classes),
    runs,
  };
  const module = `/@fs${join(import.meta.dirname, 'in-page.ts')}`;
  const call = `import(${JSON.stringify(module)}).then(({ runCase }) => runCase(${JSON.stringify(parameters)}))`;
  const { backend, done } = await page.evaluate<Awaited<ReturnType<typeof runCase>>>(call);
  return { ...middleOf(done), backend, peakMiB: await peakOfPages(browser) };
};

/** Runs one case in a Chromium of its own, whose peak memory is then that case's. */
export const runInPage = async (origin: string, one: Case): Promise<Measured> => {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    return await runInBrowser(browser, origin, one);
  } finally {
    await browser.close();
  }
};
