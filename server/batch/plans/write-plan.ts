import { isBagFormat } from '#shared/catalogue/formats';
import { outerPixels, toBbox } from '#shared/domain/boxes';
import { isDetected, type FrameReport } from '#shared/domain/plan';
import type { Task } from '#shared/domain/task';
import { planAreas, type PlannedArea } from '#shared/engine/edits/hidden-areas';
import type { ImageBase, VideoBase } from '#shared/tasks/edits/task-edits';
import { FRAMES_PER_FILE } from '#shared/tasks/files/video-files';
import type { TaskService } from '#shared/tasks/service';
import type { MediaFile } from '../media-file';
import { createText, OWNER_ONLY, type UnfinishedResults } from '../results';
import { PLAN_VERSION, type PlanHead, type StoredFrame } from './plan-schema';

/** Next to the manifest. Hidden, because it is not a result: a folder can be given to others without it. */
const PLANS_FOLDER = '.veil-plans';

/** Path of a file's plan below the output folder; undefined where its result cannot be reviewed. */
export const planNameOf = ({ outputs, format }: Pick<MediaFile, 'outputs' | 'format'>): string | undefined =>
  outputs.anonymised === null || isBagFormat(format)
    ? undefined
    : `${PLANS_FOLDER}/${outputs.anonymised}.jsonl`;

type Common = Pick<
  PlanHead,
  'plan' | 'options' | 'provenance' | 'given' | 'createdAtMs' | 'startedAtMs' | 'finishedAtMs'
>;

const imageHead = (common: Common, { plan, result }: ImageBase): PlanHead => {
  const { width, height } = plan;
  const { format, sparedMemory, keepMetadata, candidateFloor, file, revision } = result;
  return {
    ...common,
    ...{ kind: 'image', width, height, format, candidateFloor },
    ...(sparedMemory && { sparedMemory }),
    ...(keepMetadata !== undefined && { keepMetadata }),
    ...(file && revision === undefined && { file }),
  };
};

const videoHead = (common: Common, { result }: VideoBase): PlanHead => {
  const { file, kept, revision } = result;
  const { bag: _none, ...report } = result.report;
  return {
    ...{ ...common, kind: 'video', report },
    ...(revision === undefined && { ...(file && { file }), ...(kept && { kept }) }),
  };
};

/** Which areas of the request a frame has, by their places: when a frame ends is not stored. */
const areasIn = (
  detections: FrameReport['detections'],
  planned: readonly PlannedArea[],
): readonly number[] => {
  let next = 0;
  return detections
    .filter((one) => !isDetected(one))
    .map(({ box }) => {
      const place = String(toBbox(box));
      const at = planned.findIndex(
        ({ region }, i) => i >= next && String(toBbox(outerPixels(region.detection.box))) === place,
      );
      if (at < 0) throw new Error('A frame has an area that its request does not name.');
      next = at + 1;
      return at;
    });
};

/** The frames of a video with their plans, some at a time. */
async function* framesOfVideo(
  { id, options }: Task,
  { result }: VideoBase,
  tasks: TaskService,
): AsyncGenerator<StoredFrame[]> {
  const { frameCount } = result.report;
  const planned = planAreas(options, result.report);
  for (let first = 0; first < frameCount; first += FRAMES_PER_FILE) {
    const last = Math.min(first + FRAMES_PER_FILE, frameCount) - 1;
    const plans = await tasks.framePlans(id, first / FRAMES_PER_FILE);
    const reports = await tasks.frames(id, first, last, result);
    if (!plans || !reports || plans.length !== reports.length) throw new Error('A frame has no plan.');
    yield reports.map(({ durationS, detections }, i) => {
      const areas = areasIn(detections, planned);
      return { ...plans[i]!, durationS, ...(areas.length > 0 && { areas }) };
    });
  }
}

const lines = (values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/**
 * Writes what a review needs of a done task, so that nothing is searched again: what detectors found, and where it is
 * hidden. Settings are in the manifest.
 *
 * One line for each frame, as the store of tasks has it, because hours of a video fill any memory.
 *
 * @param wanted task, path below the output folder, and hash of the options
 * @returns whether there is one: a video without frames has none
 */
export const writePlan = async (
  { id, name, options }: { readonly id: string; readonly name: string; readonly options: string },
  tasks: TaskService,
  results: UnfinishedResults,
): Promise<boolean> => {
  const task = await tasks.get(id);
  const base = task && (await tasks.edits.base(task));
  if (!base) return false;
  const { given, createdAtMs, startedAtMs, finishedAtMs } = task;
  const common: Common = {
    ...{ plan: PLAN_VERSION, options, provenance: base.result.provenance },
    ...{ ...(given && { given }), createdAtMs, startedAtMs, finishedAtMs },
  };
  const append = createText(await results.create(name, OWNER_ONLY));
  if (base.kind === 'image') {
    const { regions, candidates } = base.plan;
    const { durationS } = base.result.report;
    const frame = { index: 0, timestampUs: 0, durationS, regions, ...(candidates && { candidates }) };
    await append(lines([imageHead(common, base), frame]));
    return true;
  }
  await append(lines([videoHead(common, base)]));
  for await (const frames of framesOfVideo(task, base, tasks)) await append(lines(frames));
  return true;
};
