import { imageHeader } from '../../testing/sniffed-files';
import { expect, test } from 'vitest';
import { videoOptions } from '../../catalogue/derive-parameters';
import type { Tiling } from '../../domain/options';
import { LIMITS } from '../../domain/limits';
import type { Engine } from '../../ports/host-engine';
import { taskRecord } from '../../testing/task-store-contract';
import { createFakeTimer } from '../../testing/fake-webhooks';
import { type TimeSettings, type TaskStopped, megapixelsOfFrames, startClock } from './task-clock';
import { timedEngine } from '../jobs/run-claim';

const MINUTE_MS = 60_000;
const SETTINGS: TimeSettings = {
  limits: LIMITS,
  taskTimeoutMs: 10 * MINUTE_MS,
  taskTimeoutMsPerMegapixel: MINUTE_MS,
};
const VIDEO = { ...videoOptions(), framesDone: 0, framesTotal: null };
const sized = (pixels: number) => imageHeader({ width: pixels, height: 1 });

const start = (changes: Parameters<typeof taskRecord>[1], settings = SETTINGS) => {
  const timer = createFakeTimer();
  const stops: TaskStopped[] = [];
  const { header: _read, ...unread } = taskRecord('id');
  const clock = startClock({ ...unread, ...changes }, settings, timer, (reason) => stops.push(reason));
  const minutes = (): number[] => timer.delays().map((ms) => ms / MINUTE_MS);
  return { clock, timer, stops, minutes };
};

test('the time limit of an image grows with its pixels, in whole minutes', () => {
  expect(start({ header: sized(24e6) }).minutes()).toEqual([34]);
  expect(start({ header: sized(400_000) }).minutes()).toEqual([11]);
});

test('an image whose size was not read gets the time of the largest one', () => {
  expect(start({}).minutes()).toEqual([10 + Math.ceil(LIMITS.maxPixels / 1e6)]);
});

test('each tile of an image counts as what it covers, and as one megapixel at least', () => {
  const { options } = taskRecord('id', {});
  const minutesOf = (pixels: number, tiling: Tiling) =>
    start({ header: sized(pixels), options: { ...options, format: tiling } }).minutes();
  expect(minutesOf(1e6, { kind: 'grid', number: [5, 4], overlap: [0, 0] })).toEqual([10 + 1 + 20]);
  expect(minutesOf(80e6, { kind: 'grid', number: [5, 4], overlap: [0, 0] })).toEqual([10 + 80 + 80]);
  expect(minutesOf(30e6, { kind: 'grid', number: [2, 2], overlap: [0.5, 0] })).toEqual([10 + 30 + 40]);
  expect(minutesOf(1e6, { kind: 'pano', width: 8_000 })).toEqual([10 + 32]);
});

test('the time of a video is estimated from its bytes, and starts again when its size is known', () => {
  const source = { sha256: '', sizeBytes: 2e6 };
  const { clock, minutes, timer, stops } = start({ kind: 'video', video: VIDEO, source });
  expect(minutes()).toEqual([1010]);
  clock.takeSize(undefined);
  expect(minutes()).toEqual([1010]);
  clock.takeSize(50);
  clock.takeSize(51);
  expect(minutes()).toEqual([60]);
  timer.elapse();
  expect(stops).toMatchObject([{ cause: 'timeout', limitMs: 60 * MINUTE_MS }]);
});

test('edits of a video get the time of its known size', () => {
  expect(start({ kind: 'video', video: { ...VIDEO, megapixels: 20 } }).minutes()).toEqual([30]);
});

test('small frames count as one megapixel each', () => {
  expect(megapixelsOfFrames(10, 64 * 48)).toBe(10);
  expect(megapixelsOfFrames(10, 2e6)).toBe(20);
});

test('no limit is longer than a timer can wait', () => {
  expect(start({ kind: 'video', video: { ...VIDEO, megapixels: 1e9 } }).minutes()).toEqual([24 * 24 * 60]);
});

test('a fixed limit holds for every size', () => {
  const fixed = { limits: LIMITS, taskTimeoutMs: 30_000 };
  const { clock, timer } = start({ header: sized(24e6) }, fixed);
  expect(timer.delays()).toEqual([30_000]);
  clock.end();
  expect(timer.delays()).toEqual([]);
});

test('the time runs in each attempt anew, and not while work waits for its turn', async () => {
  const { clock, minutes } = start({ header: sized(24e6) });
  const seen: number[][] = [];
  const engine: Pick<Engine, 'retrying'> = {
    retrying: async (work) => {
      seen.push(minutes()); // it waits
      await work();
      seen.push(minutes());
      return work();
    },
  };
  const work = async (): Promise<void> => void seen.push(minutes());
  await timedEngine(engine, clock).retrying(work, new AbortController().signal);
  expect(seen).toEqual([[], [34], [], [34]]);
  expect(minutes()).toEqual([]);
});
