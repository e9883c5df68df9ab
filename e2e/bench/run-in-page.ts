import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { createServer, type ViteDevServer } from 'vite';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { VideoJob } from '#shared/ports/engine';
import { findChromium } from '../run/find-chromium';
import type { codeByFfmpeg, codeByPage, runLong } from './in-page-coding';
import type { describeGpu, findObjects, InPage, runCase } from './in-page';
import type { InPageVideo, runVideo } from './in-page-video';
import { jobOptions, middleOf, type Case, type Measured } from './job';
import { createMemoryCurve, type MemoryCurve } from './memory-curve';
import type { difference, open, run } from './networks/in-page-network';
import { RUNS, type MeasuredNetwork, type Network } from './networks/network-runs';
import { makeImage } from './images';
import { residentMiB } from './resident';
import { cpuMsOf } from './scale/process-cpu';
import type { MeasuredVideo } from './video-job';

const ROOT = join(import.meta.dirname, '../..');

/** Ids of the browser's renderer processes. */
export const processesOfPages = async (browser: Browser): Promise<number[]> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
};

/** Peak resident memory in MiB of all renderer processes, as reported by Linux. */
const peakOfPages = async (browser: Browser): Promise<number> => {
  const peaks = (await processesOfPages(browser)).map(async (id) => {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
  });
  return Math.max(...(await Promise.all(peaks)));
};

const addressOf = (path: string): string => `/@fs${path}`;

/**
 * Serves the page's modules unbundled, with the isolation of the product's page: the built page does not expose its
 * engine.
 */
export const servePage = async (...folders: readonly string[]): Promise<ViteDevServer> => {
  const server = { port: 0, host: '127.0.0.1', fs: { allow: [ROOT, ...folders] } };
  return (await createServer({ logLevel: 'error', server })).listen();
};

/** Calls an exported function of a benchmark module inside the page. @param parameters plain data */
const callInPage = async <T>(page: Page, file: string, name: string, parameters: unknown): Promise<T> => {
  const module = addressOf(join(import.meta.dirname, file));
  const call = `import(${JSON.stringify(module)}).then((module) => module.${name}(${JSON.stringify(parameters)}))`;
  return page.evaluate<T>(call);
};

/** Lets Chromium use the graphics card of a machine without a screen. */
const GPU_FLAGS = [
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--disable-vulkan-surface',
  '--ignore-gpu-blocklist',
];

/** Starts its own Chromium, so that its peak memory belongs only to this work. */
const withPage = async <T extends object>(
  origin: string,
  work: (page: Page, browser: Browser) => Promise<T>,
  usesGpu = false,
): Promise<T & { readonly peakMiB: number }> => {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: usesGpu ? GPU_FLAGS : [],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/icon.svg`);
    return { ...(await work(page, browser)), peakMiB: await peakOfPages(browser) };
  } finally {
    await browser.close();
  }
};

/** Runs one case with images. */
export const runInPage = (
  origin: string,
  { size, classes, runs }: Case,
  usesGpu?: boolean,
): Promise<Measured> => {
  const work = async (page: Page) => {
    const parameters: InPage = {
      warmUp: (await makeImage(640, 480)).toString('base64'),
      image: (await makeImage(...size)).toString('base64'),
      job: jobOptions(classes),
      runs,
    };
    type Result = Awaited<ReturnType<typeof runCase>>;
    const { backend, done } = await callInPage<Result>(page, 'in-page.ts', 'runCase', parameters);
    return { ...middleOf(done), backend };
  };
  return withPage(origin, work, usesGpu);
};

/** What the page finds in images on the graphics card. */
export const findOnGpu = (origin: string, images: readonly Buffer[], classes: readonly ObjectClass[]) => {
  const work = async (page: Page) => {
    const parameters: Parameters<typeof findObjects>[0] = {
      images: images.map((image) => image.toString('base64')),
      job: jobOptions(classes),
    };
    type Result = Awaited<ReturnType<typeof findObjects>>;
    return callInPage<Result>(page, 'in-page.ts', 'findObjects', parameters);
  };
  return withPage(origin, work, true);
};

/** The graphics card that the page uses; undefined without one. */
export const nameOfGpu = async (origin: string): Promise<string | undefined> => {
  const work = async (page: Page) => {
    type Name = Awaited<ReturnType<typeof describeGpu>>;
    return { name: await callInPage<Name>(page, 'in-page.ts', 'describeGpu', null) };
  };
  return (await withPage(origin, work, true)).name;
};

/** Runs one case with a video. */
export const runVideoInPage = (
  origin: string,
  clip: Buffer,
  job: VideoJob,
  usesGpu?: boolean,
): Promise<MeasuredVideo> => {
  const work = async (page: Page) => {
    const parameters: InPageVideo = { clip: clip.toString('base64'), job };
    type Result = Awaited<ReturnType<typeof runVideo>>;
    const measured = await callInPage<Result>(page, 'in-page-video.ts', 'runVideo', parameters);
    return { ...measured, cpuMs: Number.NaN };
  };
  return withPage(origin, work, usesGpu);
};

/** Only decodes and encodes a clip. @param name exported function that does it */
const codeInPage = (
  origin: string,
  clip: string,
  name: 'codeByPage' | 'codeByFfmpeg',
  frames: number,
): Promise<MeasuredVideo> =>
  withPage(origin, async (page) => {
    const parameters = { url: addressOf(clip), frames };
    type Result = Awaited<ReturnType<typeof codeByFfmpeg | typeof codeByPage>>;
    const measured = await callInPage<Result>(page, 'in-page-coding.ts', name, parameters);
    return { ...measured, cpuMs: Number.NaN };
  });

/** Both codecs of the page, without a model. */
export const CODERS_IN_PAGE = (['codeByPage', 'codeByFfmpeg'] as const).map(
  (name) =>
    (origin: string, clip: string, frames: number): Promise<MeasuredVideo> =>
      codeInPage(origin, clip, name, frames),
);

/** Runs a network alone, with WebAssembly. */
export const runNetworkInPage = (origin: string, network: Network): Promise<MeasuredNetwork> =>
  withPage(origin, async (page, browser) => {
    const call = <T>(name: string, parameters: unknown): Promise<T> =>
      callInPage<T>(page, 'networks/in-page-network.ts', name, parameters);
    const parameters: Parameters<typeof open>[0] = { network, address: addressOf(network.path) };
    await call('open', parameters);
    const processes = await processesOfPages(browser);
    const cpuMs = (): number => processes.reduce((sum, id) => sum + cpuMsOf(id), 0);
    const before = cpuMs();
    const ms = await call<Awaited<ReturnType<typeof run>>>('run', RUNS);
    const used = cpuMs() - before;
    return {
      ms,
      cpuMs: used / RUNS,
      difference: await call<Awaited<ReturnType<typeof difference>>>('difference', null),
    };
  });

/** Memory of the tab during a long video. */
export const runLongInPage = (origin: string, clip: string): Promise<MemoryCurve> =>
  withPage(origin, async (page, browser) => {
    const processes = await processesOfPages(browser);
    const curve = createMemoryCurve(() => Math.max(...processes.map(residentMiB)));
    await page.exposeFunction('tellFrame', curve.onFrame);
    const parameters = { url: addressOf(clip), report: 'tellFrame' };
    type Result = Awaited<ReturnType<typeof runLong>>;
    const { frames, wallMs } = await callInPage<Result>(page, 'in-page-coding.ts', 'runLong', parameters);
    return { frames, wallMs, points: curve.points };
  });
