import { setImmediate as nextTurn } from 'node:timers/promises';
import { UnreadableFile } from '#shared/domain/failure';
import type { AnonymisedVideo, EngineMethods, ImageResult } from '#shared/ports/engine';
import { createLeaseServer } from '../workers/serve-lease';

/** Behaviours of the stub; the first byte of an image is an index into this list. */
export const BEHAVIOURS = [
  'finish',
  'run for ever',
  'throw',
  'be unreadable',
  'die',
  'end the process',
  'heed nothing',
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** Blocks the thread like inference, and lets the event loop run from time to time. */
const busyUntil = async (signal: AbortSignal): Promise<never> => {
  for (;;) {
    const until = performance.now() + 5;
    while (performance.now() < until);
    await nextTurn();
    signal.throwIfAborted();
  }
};

const result = (bytes: Uint8Array): ImageResult => ({
  format: 'jpeg',
  anonymised: bytes,
  masks: {},
  report: { width: 1, height: 1, detections: [], durationS: 0 },
  models: [],
  plan: { width: 1, height: 1, method: 'blur', regions: [], ignores: [], debug: false, score: false },
  timings: {},
});

const VIDEO: AnonymisedVideo = {
  width: 1,
  height: 1,
  frameCount: 0,
  lostFrames: 0,
  audioTracks: 0,
  reencodedAudioTracks: 0,
  droppedAudioTracks: 0,
  durationS: 0,
  timings: {},
  models: [],
};

const behave: EngineMethods['anonymiseImage'] = async ({ bytes }, onProgress, signal) => {
  onProgress(0.25);
  switch (BEHAVIOURS[bytes[0] ?? 0]) {
    case 'run for ever':
      return busyUntil(signal);
    case 'throw':
      throw new RangeError('a fault of ours');
    case 'be unreadable':
      throw new UnreadableFile('The image is blank.');
    case 'die':
      return process.exit(3);
    case 'end the process':
      process.kill(process.pid, 'SIGSEGV');
      return busyUntil(signal);
    case 'heed nothing':
      for (;;);
    case 'finish':
    default:
      onProgress(1);
      return result(bytes);
  }
};

const stub: EngineMethods = {
  load: async (_classes, onProgress) => {
    onProgress(0.5);
    onProgress(1);
    return { backend: 'stub' };
  },
  anonymiseImage: behave,
  anonymiseVideo: async ({ framesPerReport }, { source, target, report }, onProgress, signal) => {
    onProgress({ framesDone: 1, framesTotal: 2 });
    if (framesPerReport === 0) return busyUntil(signal);
    const bytes = await source.read(1, source.sizeBytes);
    await target.write(2, bytes);
    await report([], []);
    if (framesPerReport === 1) throw new UnreadableFile('The video is blank.');
    return { ...VIDEO, frameCount: bytes.byteLength };
  },
  surveyVideo: async (_limits, { source }) => ({
    ...{ frameCount: source.sizeBytes, width: 64, height: 48, pixels: 64 * 48 },
    endUs: 1e6,
  }),
  renderVideo: async (_job, { source, target, plans }, onProgress, signal) => {
    onProgress({ framesDone: 1, framesTotal: 2 });
    const frames = await plans(0);
    if (!frames) return busyUntil(signal);
    await target.write(frames.length, await source.read(0, 1));
    return { ...VIDEO, followed: [], shown: [] };
  },
  outlineObjects: async (_bytes, objects) =>
    objects.map(({ box }) => (box.x1 > 0 ? { kind: 'box', box } : null)),
  embedSample: async () => ({ kind: 'no-face' }),
  matchFaces: async (_bytes, { faces }) => faces.map(() => -1),
  matchTracks: async () => [],
  renderImage: async ({ bytes }) => bytes,
  renderMask: async (_plan, _kind, scalePercent, signal) =>
    scalePercent === 100 ? busyUntil(signal) : new Uint8Array([scalePercent]),
};

/** @public imported by `stub-engine-worker.mjs` */
export default createLeaseServer(async () => stub);
