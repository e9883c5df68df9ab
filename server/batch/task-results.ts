import { posix } from 'node:path';
import { paddingOf } from '#shared/engine/pixels/yuv';
import type { FrameReport, VideoReport } from '#shared/domain/plan';
import type { Task } from '#shared/domain/task';
import { frameMetadata, imageMetadata } from '#shared/api/handlers/result-handlers';
import { projectionOf } from '#shared/api/handlers/task-handlers';
import { projectionWarning } from '#shared/domain/projection';
import { withDefaults } from '#shared/api/http/query';
import { ReportQuery } from '#shared/api/contract/schemas-report';
import { jsonReport, pageReport } from '#shared/api/handlers/report/build-report';
import type { ApiService } from '#shared/api/handlers/service';
import type { MaskKind } from '#shared/ports/engine';
import { type StoredResult } from '#shared/tasks/files/task-files';
import { DEFAULT_ENCODINGS } from '#shared/tasks/base/settings';
import { FRAMES_PER_FILE } from '#shared/tasks/files/video-files';
import type { TaskService } from '#shared/tasks/service';
import { countObjects, createTally, type FileReport } from './report';
import type { OutputNames } from './media-file';
import { createUncertainTally, uncertainInImage } from './uncertain';
import type { UnfinishedResult, UnfinishedResults } from './results';

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

/** The metadata of an image as the text of its file. @param name path of its result below the output folder */
const metadataText = (name: string, result: Pick<StoredResult, 'report' | 'masks'>): string => {
  const folder = posix.dirname(name);
  const origin = { filename: posix.basename(name), folder: folder === '.' ? null : folder };
  return `${JSON.stringify(imageMetadata(origin, result), null, 2)}\n`;
};

/** What edits in force say about the objects of a task. */
const editBaseOf = async (task: Task, tasks: TaskService) => {
  const base = await tasks.edits.base(task);
  const { objects = [] } = base ? (await tasks.edits.inForce(base, task.id)).body : {};
  return { base, checked: { options: task.options, decided: objects.map((edit) => edit.id) } };
};

const writeImage = async (
  { id, name, outputs }: TaskResults,
  tasks: TaskService,
  results: UnfinishedResults,
  signal: AbortSignal,
): Promise<FileReport> => {
  const { base, checked } = await editBaseOf(found(await tasks.get(id)), tasks);
  const result = found(await tasks.result(id));
  if (outputs.anonymised !== null && result.anonymised) {
    const encoding = DEFAULT_ENCODINGS[result.format];
    await results.put(outputs.anonymised, found(await tasks.anonymised(id, result, encoding, signal)));
  }
  const masks = Object.entries(outputs.masks) as [MaskKind, string][];
  for (const [kind, place] of masks) {
    await results.put(place, found(await tasks.mask(id, result, { kind, scalePercent: 100 }, signal)));
  }
  const { report } = result;
  if (outputs.metadata !== null) {
    const text = metadataText(name, { report, masks: masks.map(([kind]) => kind) });
    await results.put(outputs.metadata, new TextEncoder().encode(text));
  }
  return {
    objects: countObjects(report.detections),
    uncertain: uncertainInImage(base?.kind === 'image' ? base.found : [], checked),
    seconds: report.durationS,
  };
};

/** A JSON array in a file, one element per line. Frames are written as they are read. */
const createFrameList = (file: UnfinishedResult) => {
  let position = 0;
  let separator = '[\n';
  const append = async (text: string): Promise<void> => {
    const bytes = new TextEncoder().encode(text);
    await file.write(position, bytes);
    position += bytes.byteLength;
  };
  return {
    add: async (frames: readonly FrameReport[]): Promise<void> => {
      const lines = frames.map((frame) => JSON.stringify(frameMetadata(frame, false)));
      await append(separator + lines.join(',\n'));
      separator = ',\n';
    },
    end: (): Promise<void> => append(position === 0 ? '[]\n' : '\n]\n'),
  };
};

/** Facts about the result of a video for the report of a run. @param isWritten whether there is a redacted video */
const videoFacts = (
  report: Omit<VideoReport, 'durationS'>,
  isWritten: boolean,
): NonNullable<FileReport['video']> => {
  const {
    frameCount,
    lostFrames,
    isLossUncertain = false,
    reencodedAudioTracks,
    droppedAudioTracks,
    droppedAudioCodecs,
    toneMapped,
  } = report;
  return {
    frames: frameCount,
    lostFrames,
    isLossUncertain,
    padding: isWritten ? paddingOf(report) : [0, 0],
    reencodedAudioTracks,
    droppedAudioTracks,
    ...(droppedAudioCodecs && { droppedAudioCodecs }),
    ...(toneMapped && { toneMapped }),
  };
};

const writeVideo = async (
  { id, outputs }: TaskResults,
  tasks: TaskService,
  results: UnfinishedResults,
): Promise<FileReport> => {
  const result = found(await tasks.videoResult(id));
  if (outputs.anonymised !== null && result.anonymised) {
    await results.put(outputs.anonymised, found(await tasks.anonymisedVideo(id, result)));
  }
  const list =
    outputs.metadata === null ? undefined : createFrameList(await results.create(outputs.metadata));
  const tally = createTally();
  const task = found(await tasks.get(id));
  const uncertain = createUncertainTally((await editBaseOf(task, tasks)).checked);
  const { frameCount, durationS } = result.report;
  for (let first = 0; first < frameCount; first += FRAMES_PER_FILE) {
    const frames = found(await tasks.frames(id, first, Math.min(first + FRAMES_PER_FILE, frameCount) - 1));
    tally.add(frames.flatMap(({ detections }) => detections));
    uncertain.add(frames);
    await list?.add(frames);
  }
  await list?.end();
  return {
    objects: tally.counts(),
    uncertain: uncertain.objects(),
    seconds: durationS,
    video: {
      ...videoFacts(result.report, outputs.anonymised !== null && result.anonymised),
      ...(task.video?.preview !== undefined && { preview: task.video.preview }),
    },
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
  await results.put(outputs.report.json, (await jsonReport(reading)).file);
  await results.put(outputs.report.page, (await pageReport(reading)).file);
};

const projectionFacts = (task: Task): Pick<FileReport, 'projection' | 'projectionWarning'> => {
  const projection = projectionOf(task);
  const warning = projectionWarning(projection, task.options.format);
  return {
    ...(projection && { projection }),
    ...(warning !== undefined && { projectionWarning: warning }),
  };
};

/** Writes the results of a task as batch mode writes those of a file. @throws FileProblem, DiskFull */
export const writeTaskResults = async (
  wanted: TaskResults,
  service: ApiService,
  results: UnfinishedResults,
  signal: AbortSignal,
): Promise<FileReport> => {
  const { tasks } = service;
  await writeReports(wanted, service, results, signal); // first: they show results, which may be moved
  const report =
    wanted.kind === 'image'
      ? await writeImage(wanted, tasks, results, signal)
      : await writeVideo(wanted, tasks, results);
  return { ...report, ...projectionFacts(found(await tasks.get(wanted.id))) };
};
