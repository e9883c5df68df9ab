import type { Detection } from '../domain/detection';
import { IMAGE_RESULT_FORMATS } from '../catalogue/formats';
import { planAreas, withAreas } from '../engine/edits/hidden-areas';
import { readImageHeader } from '../engine/formats/read-header';
import { reportPlan } from '../engine/redact/report';
import { damagedImage } from '../domain/failure';
import type { Sample } from '../domain/subject';
import { inspector, withImageDetections, withVideoDetections } from '../engine/host-engine';
import type { EngineMethods, ImageEncoding, ImageJob, ImageResult } from '../ports/engine';
import type { Engine, ImageMethodName, VideoSupport } from '../ports/host-engine';
import { RAMP_JPEG, rampPng } from './ramp-images';

/** The only model of the engine. */
export const FAKE_MODEL = { id: 'fake', sha256: 'f'.repeat(64) };

/** A hook that runs during processing, with which a test can delay it or make it fail. */
export type DuringWork = (job: ImageJob, signal: AbortSignal) => Promise<void>;

const fakeDetections = ({ options, given, header: { width, height } }: ImageJob): Detection[] =>
  given?.map(({ objectClass, score, box }) => ({ objectClass, score, box })) ??
  options.classes.map((objectClass, index) => ({
    objectClass,
    score: 0.9,
    box: { x1: index, y1: index, x2: Math.min(width, index + 8), y2: Math.min(height, index + 8) },
  }));

const encoded = (encoding: ImageEncoding, width: number, height: number): Uint8Array =>
  encoding.format === 'png' ? rampPng(width, height) : RAMP_JPEG.slice();

/** Smaller files are refused as damaged: tests send file headers without pixels. */
const MIN_IMAGE_BYTES = 200;

const resultOf = async (job: ImageJob): Promise<ImageResult> => {
  if (job.bytes.byteLength < MIN_IMAGE_BYTES) throw damagedImage();
  const { width, height } = job.header;
  const { method, ignores, debug, score } = job.options;
  const detections = fakeDetections(job);
  const regions = detections.map((detection, id) => ({
    id,
    detection,
    shape: { kind: 'box', box: detection.box } as const,
    featherPx: 0,
    cellPx: 4,
  }));
  const plan = withAreas(
    { width, height, method, regions, ignores, debug, score },
    planAreas(job.options, { width, height }),
  );
  return {
    format: job.encoding.format,
    anonymised: method === 'detect' ? null : encoded(job.encoding, width, height),
    masks: Object.fromEntries(job.masks.map((kind) => [kind, rampPng(width, height)])),
    report: reportPlan(plan, 0.25),
    models: job.given ? [] : [FAKE_MODEL],
    plan,
    timings: {},
  };
};

/** Settles like `work`, or rejects with the reason of an earlier abort. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });

/** First value of the embedding of a person who is in every file. */
export const FAKE_SUBJECT = 1;

/** Widths of PNG files that show a face as a sample; `subject` is the person who is in every file. */
export const FAKE_SAMPLES = { subject: 290, stranger: 300, twoFaces: 310, smallFace: 320, turnedFace: 330 };

const fakeSample: EngineMethods['embedSample'] = async (bytes, limits): Promise<Sample> => {
  const { width } = await readImageHeader(bytes, limits);
  switch (width) {
    case FAKE_SAMPLES.subject:
      return { kind: 'face', embedding: [FAKE_SUBJECT, 0] };
    case FAKE_SAMPLES.stranger:
      return { kind: 'face', embedding: [0, 1] };
    case FAKE_SAMPLES.twoFaces:
      return { kind: 'several-faces', faces: 2 };
    case FAKE_SAMPLES.smallFace:
      return { kind: 'small-face', sidePx: 10 };
    case FAKE_SAMPLES.turnedFace:
      return { kind: 'turned-face' };
    default:
      return { kind: 'no-face' };
  }
};

const noVideo = async (): Promise<never> => {
  throw new Error('This engine takes no videos.');
};

/** What the thread of a fake engine does: it detects one object of each class in every image, and renders nothing. */
export const createFakeMethods = (
  during: DuringWork = async () => undefined,
): EngineMethods & VideoSupport => ({
  takesVideo: false,
  convertsVideo: false,
  load: async (_classes, onProgress) => {
    onProgress(1);
    return { backend: 'fake' };
  },
  anonymiseImage: async (job, onProgress, signal) => {
    onProgress(0.5);
    await unlessAborted(during(job, signal), signal);
    return resultOf(job);
  },
  anonymiseVideo: noVideo,
  surveyVideo: noVideo,
  renderVideo: noVideo,
  outlineObjects: async (_bytes, objects) => objects.map(() => null),
  embedSample: fakeSample,
  matchFaces: async (_bytes, { faces, samples }) =>
    faces.map(() => (samples.some(([first]) => first === FAKE_SUBJECT) ? 0.9 : 0.1)),
  matchTracks: noVideo,
  renderImage: async ({ plan, encoding }) => encoded(encoding, plan.width, plan.height),
  renderMask: async ({ width, height }, _kind, scalePercent) =>
    rampPng(
      Math.max(1, Math.round((width * scalePercent) / 100)),
      Math.max(1, Math.round((height * scalePercent) / 100)),
    ),
});

/** The engine of a host that runs its methods in the same thread. */
export const createHostEngine = <Methods extends EngineMethods & VideoSupport>(
  engine: Methods,
): Omit<Methods, ImageMethodName | 'anonymiseVideo'> & Engine => ({
  ...engine,
  ...inspector,
  writtenFormats: IMAGE_RESULT_FORMATS,
  ...withImageDetections(engine),
  ...withVideoDetections(engine),
  retrying: (work) => work(),
});

/** An engine that detects one object of each class in every image, and renders nothing. */
export const createFakeEngine = (during?: DuringWork): Engine => createHostEngine(createFakeMethods(during));
