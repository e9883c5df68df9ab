import { withDefaults } from '#shared/api/http/query';
import { ReportQuery } from '#shared/api/contract/schemas-report';
import { jsonReport, pageReport } from '#shared/api/handlers/report/report-files';
import type { ApiService } from '#shared/api/dispatch';
import type { MaskKind } from '#shared/ports/engine';
import { DEFAULT_ENCODINGS } from '#shared/tasks/files/encodings';
import type { ResultFile } from '#shared/tasks/files/results';
import { FRAMES_PER_FILE } from '#shared/tasks/files/video-files';
import type { TaskService } from '#shared/tasks/service';
import { countObjects, createTally } from './count-objects';
import { createFrameList } from './frame-list';
import { metadataText } from './metadata-text';
import type { OutputNames } from './output-names';
import type { FileReport } from './report';
import type { UnfinishedResults } from './results';
import { videoFacts } from './video-facts';

/** A done task, and the files that its results become. */
export interface TaskResults {
  readonly id: string;
  readonly kind: 'image' | 'video';
  /** Path of the source's results below the output folder, as in `FoundFile`. */
  readonly name: string;
  readonly outputs: OutputNames;
}

const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('The result of a task is gone.');
  return value;
};

async function* piecesOf(file: ResultFile): AsyncIterable<Uint8Array> {
  if (file instanceof Uint8Array) yield file;
  else yield* file.read(0, file.sizeBytes);
}

const copy = async (file: ResultFile, name: string, results: UnfinishedResults): Promise<void> => {
  const target = await results.create(name);
  let position = 0;
  for await (const piece of piecesOf(file)) {
    await target.write(position, piece);
    position += piece.byteLength;
  }
};

const writeImage = async (
  { id, name, outputs }: TaskResults,
  tasks: TaskService,
  results: UnfinishedResults,
  signal: AbortSignal,
): Promise<FileReport> => {
  const result = found(await tasks.result(id));
  if (outputs.anonymised !== null && result.anonymised) {
    const encoding = DEFAULT_ENCODINGS[result.format];
    await copy(found(await tasks.anonymised(id, result, encoding, signal)), outputs.anonymised, results);
  }
  const masks = Object.entries(outputs.masks) as [MaskKind, string][];
  for (const [kind, place] of masks) {
    await copy(found(await tasks.mask(id, result, kind, 100, signal)), place, results);
  }
  const { report } = result;
  if (outputs.metadata !== null) {
    const text = metadataText(name, { report, masks: masks.map(([kind]) => kind) });
    await copy(new TextEncoder().encode(text), outputs.metadata, results);
  }
  return { objects: countObjects(report.detections), seconds: report.durationS };
};

const writeVideo = async (
  { id, outputs }: TaskResults,
  tasks: TaskService,
  results: UnfinishedResults,
): Promise<FileReport> => {
  const result = found(await tasks.videoResult(id));
  if (outputs.anonymised !== null && result.anonymised) {
    await copy(found(await tasks.anonymisedVideo(id, result)), outputs.anonymised, results);
  }
  const list =
    outputs.metadata === null ? undefined : createFrameList(await results.create(outputs.metadata));
  const tally = createTally();
  const { frameCount, durationS } = result.report;
  for (let first = 0; first < frameCount; first += FRAMES_PER_FILE) {
    const frames = found(await tasks.frames(id, first, Math.min(first + FRAMES_PER_FILE, frameCount) - 1));
    tally.add(frames.flatMap(({ detections }) => detections));
    await list?.add(frames);
  }
  await list?.end();
  return {
    objects: tally.counts(),
    seconds: durationS,
    video: videoFacts(result.report, outputs.anonymised !== null && result.anonymised),
  };
};

const writeReports = async (
  { id, outputs }: TaskResults,
  service: ApiService,
  results: UnfinishedResults,
  signal: AbortSignal,
): Promise<void> => {
  if (outputs.report === null) return;
  const task = found(await service.tasks.get(id));
  const reading = { task, query: withDefaults(ReportQuery, {}), service, signal };
  await copy((await jsonReport(reading)).file, outputs.report.json, results);
  await copy((await pageReport(reading)).file, outputs.report.page, results);
};

/** Writes the results of a task as batch mode writes those of a file. @throws FileProblem, DiskFull */
export const writeTaskResults = async (
  wanted: TaskResults,
  service: ApiService,
  results: UnfinishedResults,
  signal: AbortSignal,
): Promise<FileReport> => {
  const { tasks } = service;
  const written =
    wanted.kind === 'image'
      ? await writeImage(wanted, tasks, results, signal)
      : await writeVideo(wanted, tasks, results);
  await writeReports(wanted, service, results, signal);
  return written;
};
