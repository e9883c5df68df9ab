/**
 * `npm run eval:segments`: what analysis in segments shows that analysis in one pass hides.
 *
 * Uses the generated clips of `eval-video.ts`, each once in one pass and once in segments, which are far shorter than
 * the product's so that there are borders. Objects and tracks of both are compared with the truth and with each other.
 * Runs differ outside of borders, too, because searches of frames are scheduled from the first frame of a segment on.
 *
 * Options: `--clips N` (6), `--frames N` of each (125), `--core S` (2), `--margin S` (1), `--border S` (0.375: the same
 * share of the margin as in the product), `--kind KIND`, `--seed N` (1). The figures so far are printed after each clip.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { defaultImageOptions, DEFAULT_THRESHOLDS } from '#shared/domain/options';
import { US_PER_SECOND, type TimeRange } from '#shared/domain/plan';
import type { AnalysedFrame } from '#shared/engine/segments/join-frames';
import { joinSegments } from '#shared/engine/segments/join-segments';
import { planSegments, SEGMENT_LIMITS, type Segment } from '#shared/engine/segments/plan-segments';
import { planRedaction } from '#shared/engine/redact/plan-redaction';
import { reportPlan } from '#shared/engine/redact/report';
import { planSearches } from '#shared/engine/search/search-schedule';
import { createFollower } from '#shared/engine/track/follow';
import type { FollowedDetection } from '#shared/engine/track/follow-tracks';
import { trackingThresholds } from '#shared/engine/track/track-limits';
import { followFrames } from '#shared/engine/follow-frames';
import type { VideoFrame } from '#shared/ports/video';
import { readBackgrounds, readFaces, readPlates } from './cut-outs';
import { leakTable } from './leak-table';
import { createOutcome, hiddenPixels, scoreFrame } from './leaks';
import { openDetection, type Detect } from './open-detection';
import type { RenderedFrame } from './render';
import { FRAME, FRAMES_PER_SECOND, KINDS, type Kind } from './scenario';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { renderClip, timestampUs } from './synthetic-clip';

endWhenOutputCloses();

const DATA_FOLDER = new URL('../../../../shared/data', import.meta.url).pathname;

const { values: flags } = parseArgs({
  options: {
    clips: { type: 'string', default: '6' },
    frames: { type: 'string', default: '125' },
    core: { type: 'string', default: '2' },
    margin: { type: 'string', default: '1' },
    border: { type: 'string', default: '0.375' },
    kind: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const OPTIONS = defaultImageOptions({ classes: ['face', 'license-plate'] });
const AS_IN_VIDEO = { ...OPTIONS, thresholds: trackingThresholds(DEFAULT_THRESHOLDS) };
const PLAN = planSearches(true, 1);
const LIMITS = {
  ...SEGMENT_LIMITS,
  maxWholeUs: 0,
  coreUs: Number(flags.core) * US_PER_SECOND,
  minLastUs: (Number(flags.core) * US_PER_SECOND) / 2,
  marginUs: Number(flags.margin) * US_PER_SECOND,
  borderUs: Number(flags.border) * US_PER_SECOND,
};

type Render = (t: number) => RenderedFrame;

/** The frames of a range, numbered from 0. */
async function* framesIn(render: Render, frames: number, range: TimeRange): AsyncGenerator<VideoFrame> {
  let index = 0;
  for (let t = 0; t < frames; t++) {
    const time = timestampUs(t);
    if (time < range.fromUs || time >= range.untilUs) continue;
    const { raster } = render(t);
    yield { index: index++, timestampUs: time, durationUs: US_PER_SECOND / FRAMES_PER_SECOND, raster };
  }
}

const analysedFrame = (
  { index, timestampUs: time }: VideoFrame,
  detections: readonly FollowedDetection[],
): AnalysedFrame => {
  const plan = planRedaction(FRAME, detections, new Map(), OPTIONS);
  const report = reportPlan(plan, 0);
  const trackOf = (id: number) => {
    const trackId = detections[id]?.trackId;
    return trackId === undefined ? {} : { trackId };
  };
  return {
    report: {
      ...report,
      ...{ index, timestampUs: time },
      detections: report.detections.map((one) => ({ ...one, ...trackOf(one.id) })),
    },
    plan: { index, timestampUs: time, regions: plan.regions.map((one) => ({ ...one, ...trackOf(one.id) })) },
  };
};

const analyse = async (
  render: Render,
  frames: number,
  range: TimeRange,
  detect: Detect,
): Promise<AnalysedFrame[]> => {
  const follower = createFollower({ noObjectTracking: false, options: OPTIONS }, FRAME);
  const found: AnalysedFrame[] = [];
  const source = framesIn(render, frames, range);
  for await (const some of followFrames(source, PLAN, follower, ({ raster }, scope) =>
    detect(raster, scope),
  )) {
    found.push(...some.map(({ frame, detections }) => analysedFrame(frame, detections)));
  }
  return found;
};

const inSegments = async (
  render: Render,
  frames: number,
  segments: readonly Segment[],
  detect: Detect,
): Promise<AnalysedFrame[]> => {
  const joined: AnalysedFrame[] = [];
  const read = async (number: number) => {
    const some = await analyse(render, frames, segments[number]!.analysed, detect);
    return { reports: some.map(({ report }) => report), plans: some.map(({ plan }) => plan) };
  };
  for await (const frame of joinSegments(segments, read, LIMITS.borderUs)) joined.push(frame);
  return joined;
};

/** Numbers of pixels, over all frames. */
const PIXELS = {
  'of objects, hidden in one pass': 0,
  'of objects, hidden in one pass only': 0,
  '… of these, near a border': 0,
  'of objects, hidden in segments only': 0,
  'next to objects, hidden in one pass': 0,
  'next to objects, hidden in one pass only': 0,
  'next to objects, hidden in segments only': 0,
};
const OUTCOMES = { 'one pass': createOutcome(), segments: createOutcome() };

const detectionsOf = ({ plan }: AnalysedFrame): FollowedDetection[] =>
  plan.regions.map(({ detection, trackId }) => ({ ...detection, ...(trackId !== undefined && { trackId }) }));

const countPixels = (
  owners: RenderedFrame['owners'],
  whole: Uint8Array,
  joined: Uint8Array,
  isNearBorder: boolean,
): void => {
  for (let at = 0; at < owners.length; at++) {
    const where = owners[at] === 0 ? 'next to objects' : 'of objects';
    if (whole[at]) PIXELS[`${where}, hidden in one pass`]++;
    if (whole[at] && !joined[at]) {
      PIXELS[`${where}, hidden in one pass only`]++;
      if (owners[at] !== 0 && isNearBorder) PIXELS['… of these, near a border']++;
    }
    if (!whole[at] && joined[at]) PIXELS[`${where}, hidden in segments only`]++;
  }
};

const runClip = async (render: Render, frames: number, detect: Detect): Promise<void> => {
  const endUs = timestampUs(frames);
  const segments = planSegments(endUs, LIMITS) ?? [];
  const whole = await analyse(render, frames, { fromUs: -Infinity, untilUs: Infinity }, detect);
  const joined = await inSegments(render, frames, segments, detect);
  if (joined.length !== whole.length) throw new Error('The numbers of frames differ.');
  whole.forEach((frame, t) => {
    const both = [detectionsOf(frame), detectionsOf(joined[t]!)] as const;
    const truth = render(t);
    scoreFrame(OUTCOMES['one pass'], truth, both[0], OPTIONS);
    scoreFrame(OUTCOMES.segments, truth, both[1], OPTIONS);
    const isNearBorder = segments
      .slice(1)
      .some(({ core }) => Math.abs(core.fromUs - frame.plan.timestampUs) <= LIMITS.borderUs);
    const [hiddenWhole, hiddenJoined] = [hiddenPixels(both[0], OPTIONS), hiddenPixels(both[1], OPTIONS)];
    countPixels(truth.owners, hiddenWhole, hiddenJoined, isNearBorder);
  });
};

const printFigures = (clips: number, frames: number): void => {
  const { core, margin, border } = flags;
  const everSeen = new Set(OUTCOMES['one pass'].identities.keys());
  console.log(
    `\n${clips} clips of ${frames} frames; cores of ${core} s, margins of ${margin} s, borders of ${border} s.\n`,
  );
  console.log(leakTable(OUTCOMES, everSeen).join('\n'));
  console.log('\n| Pixels | Number |\n| --- | --- |');
  for (const [name, pixels] of Object.entries(PIXELS)) console.log(`| ${name} | ${pixels} |`);
};

const main = async (): Promise<void> => {
  if (!existsSync(DATA_FOLDER)) {
    return console.log(`Nothing to measure: there is no data to make clips of in ${DATA_FOLDER}.`);
  }
  const detect = (await openDetection())(AS_IN_VIDEO);
  const stock = {
    faces: await readFaces(),
    plates: await readPlates(DATA_FOLDER),
    backgrounds: readBackgrounds(DATA_FOLDER),
  };
  const kinds = KINDS.filter((kind) => flags.kind === undefined || kind === flags.kind);
  const [clips, frames] = [Number(flags.clips), Number(flags.frames)];
  for (let clip = 0; clip < clips; clip++) {
    const kind = kinds[clip % kinds.length] as Kind;
    const seed = Number(flags.seed) * 1000 + clip;
    const render = await renderClip(kind, frames, stock, { firstIdentity: clip * 100, seed });
    await runClip(render, frames, detect);
    printFigures(clip + 1, frames);
  }
};

await main();
