/**
 * `npm run eval:video`: how often a face or plate is visible in a video, with and without tracking.
 *
 * There are no labelled clips, so they are generated: cut-out faces and plates move over photos, with motion blur,
 * occluding posts, changes of size, camera shake and cuts. The product's own detection searches each frame. The clips
 * are the same in each run, so that runs can be compared.
 *
 * Options: `--clips N` (6), `--frames N` of each (24), `--kind KIND` (all; see `scenario.ts`), `--seed N` (1), `--every
 * N` as `detect-every` (1), `--quality fast|balanced` (balanced), `--plates cars|motorcycles` (cars). With `--real`, real
 * clips are used instead, and the confident detections of a stricter search of single frames count as the truth. With
 * `--labelled`, real clips are compared with labels made by hand (`labelled-clips.json`); `--range TWIN` encodes them
 * anew before, as `hlg`, `pq` or another of `hdr-twins.ts`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFollower } from '#shared/engine/track/follow';
import { followFrames, type SearchFrame } from '#shared/engine/follow-frames';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import {
  DEFAULT_THRESHOLDS,
  defaultImageOptions,
  QUALITY_PRESETS,
  type ImageOptions,
} from '#shared/domain/options';
import type { SearchScope } from '#shared/engine/search/plan-search';
import { planSearches } from '#shared/engine/search/search-schedule';
import { trackingThresholds } from '#shared/engine/track/track-limits';
import type { VideoFrame } from '#shared/ports/video';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { plateKindOf, readBackgrounds, readFaces, readPlates } from './cut-outs';
import { leakTable, pixelTable } from './leak-table';
import { evalLabelledClips } from './eval-labelled';
import { twinOf } from './hdr-twins';
import { createOutcome, scoreFrame } from './leaks';
import { evalRealClips } from './real-clips';
import type { RenderedFrame } from './render';
import { openDetection, type Detect } from './open-detection';
import { FRAME, FRAMES_PER_SECOND, KINDS, type Kind } from './scenario';
import { renderClip, timestampUs } from './synthetic-clip';

endWhenOutputCloses();

const DATA_FOLDER = new URL('../../../../shared/data', import.meta.url).pathname;

const { values: flags } = parseArgs({
  options: {
    clips: { type: 'string', default: '6' },
    frames: { type: 'string', default: '24' },
    kind: { type: 'string' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '1' },
    quality: { type: 'string', default: 'balanced' },
    plates: { type: 'string', default: 'cars' },
    real: { type: 'boolean', default: false },
    labelled: { type: 'boolean', default: false },
    range: { type: 'string' },
  },
});

const QUALITY = QUALITY_PRESETS.find((preset) => preset === flags.quality) ?? 'balanced';

const OPTIONS: ImageOptions = defaultImageOptions({
  classes: ['face', 'license-plate'],
  qualityPreset: QUALITY,
});

/** Options as in a video, with the low thresholds that continue a track. */
const AS_IN_VIDEO: ImageOptions = { ...OPTIONS, thresholds: trackingThresholds(DEFAULT_THRESHOLDS) };
const STRICTER: ImageOptions = {
  ...OPTIONS,
  classes: DEFAULT_CLASSES,
  format: { kind: 'grid', number: [2, 2], overlap: [0.2, 0.2] },
};

const PLAN = planSearches(true, Number(flags.every));
const OUTCOMES = { 'without tracking': createOutcome(), 'with tracking': createOutcome() };

const everHidden = (): Set<number> => {
  const { identities } = OUTCOMES['without tracking'];
  return new Set(
    [...identities].flatMap(([identity, one]) => (one.leakedFrames < one.seenFrames ? [identity] : [])),
  );
};

type Render = (t: number) => RenderedFrame;

/** Without tracking. */
const BY_ITSELF: SearchScope = { depth: 'whole', expected: [], isVideo: true };

/** Detects in each frame separately, and passes the frames to tracking. */
async function* frameByFrame(
  render: Render,
  frames: number,
  truths: Map<number, Omit<RenderedFrame, 'raster'>>,
  detect: Detect,
): AsyncGenerator<VideoFrame> {
  for (let index = 0; index < frames; index++) {
    const { raster, ...truth } = render(index);
    truths.set(index, truth);
    scoreFrame(OUTCOMES['without tracking'], truth, await detect(raster, BY_ITSELF), OPTIONS);
    yield { index, timestampUs: timestampUs(index), durationUs: 1e6 / FRAMES_PER_SECOND, raster };
  }
}

const runClip = async (
  render: Render,
  frames: number,
  { byItself, inVideo }: Readonly<Record<'byItself' | 'inVideo', Detect>>,
): Promise<void> => {
  const follower = createFollower({ noObjectTracking: false, options: OPTIONS }, FRAME);
  const truths = new Map<number, Omit<RenderedFrame, 'raster'>>();
  const search: SearchFrame = ({ raster }, scope) => inVideo(raster, scope);
  const source = frameByFrame(render, frames, truths, byItself);
  for await (const settled of followFrames(source, PLAN, follower, search)) {
    for (const { frame, detections } of settled) {
      const { index } = frame;
      scoreFrame(OUTCOMES['with tracking'], truths.get(index) as RenderedFrame, detections, OPTIONS);
      truths.delete(index);
    }
  }
};

const main = async (): Promise<void> => {
  if (!existsSync(DATA_FOLDER)) {
    return console.log(`Nothing to measure: there is no data to make clips of in ${DATA_FOLDER}.`);
  }
  const detection = await openDetection();
  if (flags.labelled) {
    const search = { inVideo: detection(AS_IN_VIDEO), plan: PLAN, options: OPTIONS };
    return evalLabelledClips(join(DATA_FOLDER, 'videos'), search, twinOf(flags.range));
  }
  if (flags.real) {
    const searches = {
      inVideo: detection({ ...AS_IN_VIDEO, classes: DEFAULT_CLASSES }),
      thorough: detection(STRICTER),
      plan: PLAN,
    };
    return evalRealClips(join(DATA_FOLDER, 'videos'), searches, Number(flags.frames));
  }
  const stock = {
    faces: await readFaces(),
    plates: await readPlates(DATA_FOLDER, plateKindOf(flags.plates)),
    backgrounds: readBackgrounds(DATA_FOLDER),
  };
  const searches = { byItself: detection(OPTIONS), inVideo: detection(AS_IN_VIDEO) };
  const kinds = KINDS.filter((kind) => flags.kind === undefined || kind === flags.kind);
  const clips = Number(flags.clips);
  const frames = Number(flags.frames);
  const start = performance.now();
  for (let clip = 0; clip < clips; clip++) {
    const kind = kinds[clip % kinds.length] as Kind;
    const seed = Number(flags.seed) * 1000 + clip;
    const render = await renderClip(kind, frames, stock, { firstIdentity: clip * 100, seed });
    await runClip(render, frames, searches);
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${clips} clips of ${frames} frames, ${FRAME.width}×${FRAME.height}, in ${seconds.toFixed(0)} s.\n`,
  );
  console.log([...leakTable(OUTCOMES, everHidden()), '', ...pixelTable(OUTCOMES)].join('\n'));
};

await main();
