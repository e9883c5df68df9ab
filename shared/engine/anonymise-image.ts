import { hides } from '../catalogue/methods';
import { chooseModels } from './packs/choose';
import type { ImageCodec } from '../ports/codec';
import type { ImageJob, ImageResult, MaskKind, Progress } from '../ports/engine';
import type { BasicSystem } from '../ports/system';
import type { Manifest } from '../domain/manifest';
import type { Detection } from '../domain/detection';
import type { Raster, Size } from '../domain/raster';
import { readsText, thresholdIn, type ImageOptions } from '../domain/options';
import { soundProjection, tilingOf } from '../domain/projection';
import { withoutTextOnPlates } from '../domain/text-on-plates';
import type { chooseLines } from './reading/choose-lines';
import { COMPLETE_SEARCH } from './search/find-objects';
import { findAround } from './search/find-around';
import { splitAtSeam } from './fusion/seam';
import type { TouchedCells } from './jpeg-copy/touched-cells';
import { createMask, renderMask, type MaskCanvas } from './redact/mask';
import type { RedactionPlan } from '../domain/plan';
import { usedModels, type SearchScope } from './search/plan-search';
import { planRedaction, withoutMasks } from './redact/plan-redaction';
import { createPyramid } from './pixels/pyramid';
import { drawPlan, labelPlan } from './redact/draw-plan';
import { reportPlan } from './redact/report';
import { segmentAround } from './masks/segment-around';
import type { Sessions } from './inference/sessions';
import { createStopwatch, type Stopwatch } from './runtime/stopwatch';

export interface ImagePorts {
  readonly codec: ImageCodec;
  readonly sessions: Sessions;
  readonly manifest: Manifest;
  readonly system: BasicSystem;
}

/** Compression level of masks: a compromise of time and size, as they are written once and read by machines. */
const MASK_COMPRESS_LEVEL = 5;
/** Share of the progress at which each later step begins; detection takes nearly all the time. */
const PROGRESS = { detecting: 0.05, segmenting: 0.75, redacting: 0.85, encoding: 0.9 } as const;

/** What an image is encoded from. */
type EncodedJob = Pick<ImageJob, 'bytes' | 'header' | 'keepMetadata' | 'encoding'>;

/** A redacted image. */
interface Redacted {
  readonly raster: Raster;
  /** What redaction may have changed; absent where the source's blocks are not copied. */
  readonly touched?: TouchedCells | undefined;
}

/** Notes what redaction touches, where the source's blocks are copied. Its code is loaded only then. */
const touchedCellsOf = async (
  { encoding, header }: EncodedJob,
  plan: RedactionPlan,
): Promise<TouchedCells | undefined> => {
  const isCopied = encoding.format === 'jpeg' && encoding.copiesBlocks && header.format === 'jpeg';
  // Overlays and labels are drawn on pixels that no region covers.
  if (!isCopied || plan.debug || plan.labels) return undefined;
  return (await import('./jpeg-copy/touched-cells')).createTouchedCells(plan);
};

const encodePixels = async (
  codec: ImageCodec,
  { raster, touched }: Redacted,
  { encoding, bytes, header }: EncodedJob,
): Promise<Uint8Array> => {
  if (encoding.format === 'png') {
    return codec.encodePng({ ...raster, channels: 4 }, encoding.compressLevel);
  }
  const copied =
    touched &&
    (await (
      await import('./jpeg-copy/copy-jpeg')
    ).copyJpeg({ bytes, header, raster, touched }, (...file) => codec.decode(...file)));
  return copied ?? codec.encodeLossy(encoding.format, raster, encoding.quality);
};

/** @param job its file is that of which some fields or blocks may be kept */
export const encodeImage = async (
  codec: ImageCodec,
  redacted: Redacted,
  job: EncodedJob,
): Promise<Uint8Array> => {
  const { bytes: source, header, keepMetadata = false, encoding } = job;
  const { raster } = redacted;
  const bytes = await encodePixels(codec, redacted, job);
  const isSphere = soundProjection({ ...raster, projection: header.projection }) === 'sphere';
  if (!keepMetadata && !isSphere) return bytes;
  // Loaded only where it is needed: most results have no metadata.
  const { writeMetadata } = await import('./formats/keep-metadata');
  return writeMetadata(
    { bytes: source, header, isKept: keepMetadata, sphere: isSphere ? raster : undefined },
    { bytes, format: encoding.format },
  );
};

/** Hides what a plan says, in place, and encodes the result. */
export const redactAndEncode = async (
  codec: ImageCodec,
  raster: Raster,
  job: EncodedJob & { readonly plan: RedactionPlan },
): Promise<Uint8Array> => {
  const touched = await touchedCellsOf(job, job.plan);
  await drawPlan(raster, job.plan, (_region, coverage) => touched?.draw(coverage));
  return encodeImage(codec, { raster, touched }, job);
};

export const encodeMask = (
  codec: ImageCodec,
  plan: RedactionPlan,
  kind: MaskKind,
  scalePercent: number,
): Promise<Uint8Array> => codec.encodePng(renderMask(plan, kind, scalePercent), MASK_COMPRESS_LEVEL);

const encodeMasks = async (
  codec: ImageCodec,
  masks: ReadonlyMap<MaskKind, MaskCanvas>,
): Promise<ImageResult['masks']> => {
  const files: Partial<Record<MaskKind, Uint8Array>> = {};
  for (const [kind, { pixels }] of masks) files[kind] = await codec.encodePng(pixels, MASK_COMPRESS_LEVEL);
  return files;
};

/**
 * Stores the other detections with the plan: those below the threshold, because a person may want them hidden, and text
 * on plates, because edits may remove the plate.
 */
const withCandidates = (plan: RedactionPlan, candidates: readonly Detection[]): RedactionPlan =>
  candidates.length > 0 ? { ...plan, candidates: candidates.map(withoutMasks) } : plan;

/** Adds the areas of the upload to a plan. Their code is loaded only with them: most images have none. */
const areasOf = async (
  options: ImageOptions,
  size: Size,
): Promise<(plan: RedactionPlan) => RedactionPlan> => {
  if (!options.hides) return (plan) => plan;
  const { planAreas, withAreas } = await import('./edits/hidden-areas');
  const areas = planAreas(options, size);
  return (plan) => withAreas(plan, areas);
};

const scopeOf = ({ candidateFloor, lowMemory = false }: ImageJob): SearchScope => ({
  ...COMPLETE_SEARCH,
  lowMemory,
  ...(candidateFloor === undefined ? {} : { floor: candidateFloor }),
});

/** An image that is being worked on. */
interface ImageWork {
  readonly job: ImageJob;
  /** Those of the job, with the tiling of this image. */
  readonly options: Parameters<typeof findAround>[1];
  readonly raster: Raster;
  readonly watch: Stopwatch;
  readonly onProgress: Progress;
  readonly signal: AbortSignal;
}

/** Text that is not to be hidden. The code that reads it is loaded only where it is needed. */
const stayingText = async (
  ...[detections, reading]: Parameters<typeof chooseLines>
): Promise<ReadonlySet<Detection>> => {
  const reader = await import('./reading/choose-lines');
  return reader.chooseLines(detections, reading);
};

/** Searches an image, and plans how all that was found is hidden. */
const planBySearch = async (
  { job, options, raster, watch, onProgress, signal }: ImageWork,
  { sessions, manifest }: ImagePorts,
): Promise<RedactionPlan> => {
  const pyramid = createPyramid(raster);
  const onDetected = (share: number): void =>
    onProgress(PROGRESS.detecting + share * (PROGRESS.segmenting - PROGRESS.detecting));
  const scope = scopeOf(job);
  const objects = await watch.time('detect', () =>
    findAround(pyramid, options, { sessions, manifest }, { onProgress: onDetected, signal, scope }),
  );
  const found = objects.flatMap((one) => splitAtSeam(one, raster.width));
  const isConfident = ({ objectClass, score }: Detection): boolean =>
    score >= thresholdIn(options.thresholds, objectClass);
  const reading = { pyramid, options, manifest, sessions, signal };
  const staying: ReadonlySet<Detection> = readsText(options)
    ? await watch.time('read', () => stayingText(found.filter(isConfident), reading))
    : new Set();
  const hidden = found.filter((one) => isConfident(one) && !staying.has(one));
  const detections = withoutTextOnPlates(hidden, () => true);
  onProgress(PROGRESS.segmenting);
  const { maskModels } = chooseModels(manifest, options);
  const outlines = await watch.time('segment', () =>
    segmentAround(pyramid, detections, { models: maskModels, sessions, signal }),
  );
  return withCandidates(
    planRedaction(raster, detections, outlines, options),
    scope.floor === undefined ? [] : found.filter((one) => !detections.includes(one) && !staying.has(one)),
  );
};

const planOf = async (work: ImageWork, ports: ImagePorts): Promise<RedactionPlan> => {
  const { job, options, raster } = work;
  if (!job.given) return planBySearch(work, ports);
  // Loaded only where it is needed: most images are searched.
  const { planGiven } = await import('./given/plan-given');
  return planGiven(raster, job.given, options);
};

/**
 * Anonymises one image. Reads top to bottom; each line is one step. Steps on `ports` touch the platform; all others
 * are pure.
 *
 * @throws UnreadableFile where the file is to blame
 */
export const anonymiseImage = async (
  job: ImageJob,
  ports: ImagePorts,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<ImageResult> => {
  signal.throwIfAborted();
  const { codec, manifest, system } = ports;
  const watch = createStopwatch(system);
  const raster = await watch.time('decode', () => codec.decode(job.bytes, job.header));
  const format = tilingOf(job.options.format, { ...raster, projection: job.header.projection });
  const options = { ...job.options, format };
  signal.throwIfAborted();
  const addAreas = await areasOf(options, raster);
  const started = system.elapsedMs();
  onProgress(PROGRESS.detecting);
  const found = addAreas(await planOf({ job, options, raster, watch, onProgress, signal }, ports));
  const plan = await labelPlan(found, options);
  onProgress(PROGRESS.redacting);
  const masks = new Map(job.masks.map((kind) => [kind, createMask(kind, plan)]));
  const touched = await touchedCellsOf(job, plan);
  await watch.time('redact', () =>
    drawPlan(raster, plan, (region, coverage) => {
      masks.forEach((mask) => mask.draw(region, coverage));
      touched?.draw(coverage);
    }),
  );
  const report = reportPlan(plan, (system.elapsedMs() - started) / 1000);

  signal.throwIfAborted();
  onProgress(PROGRESS.encoding);
  const encode = (): Promise<Uint8Array> => encodeImage(codec, { raster, touched }, job);
  const anonymised = hides(options.method) ? await watch.time('encode', encode) : null;
  const maskFiles = await watch.time('masks', () => encodeMasks(codec, masks));
  onProgress(1);
  return {
    format: job.encoding.format,
    anonymised,
    masks: maskFiles,
    report,
    models: job.given ? [] : usedModels(manifest, options),
    plan,
    timings: watch.timings,
    ...(job.lowMemory && { sparedMemory: true }),
  };
};
