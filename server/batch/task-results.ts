import { posix } from 'node:path';
import { paddingOf } from '#shared/engine/pixels/yuv';
import type { Method } from '#shared/catalogue/methods';
import type { FrameReport, VideoReport } from '#shared/domain/plan';
import type { Task } from '#shared/domain/task';
import { frameMetadata, imageMetadata } from '#shared/api/handlers/result-handlers';
import { projectionOf } from '#shared/api/handlers/task-handlers';
import { projectionWarning } from '#shared/domain/projection';
import { withDefaults } from '#shared/api/http/query';
import { ReportQuery } from '#shared/api/contract/schemas-report';
import { jsonReport, pageReport, readLog } from '#shared/api/handlers/report/build-report';
import type { ApiService } from '#shared/api/handlers/service';
import type { MaskKind } from '#shared/ports/engine';
import { type StoredResult } from '#shared/tasks/files/task-files';
import { DEFAULT_ENCODINGS } from '#shared/tasks/base/settings';
import { FRAMES_PER_FILE } from '#shared/tasks/files/video-files';
import type { TaskService } from '#shared/tasks/service';
import { countObjects, createTally, type FileReport } from './report';
import type { OutputNames } from './media-file';
import { exportedFrame, exportedImage, type ExportedFrame } from './exports/exported-frame';
import { EXPORTS, type ExportFormat } from './exports/exports';
import { createUncertainTally, uncertainInImage } from './uncertain';
import { createText, type UnfinishedResult, type UnfinishedResults } from './results';

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
  const exports = await beginExports(outputs, results);
  const plan = found(await tasks.plan(id, result));
  await exports.add([exportedImage(posix.basename(name), report, plan)]);
  await exports.end();
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

/** The exports of a file, written as its frames are read. */
const beginExports = async ({ exports }: OutputNames, results: UnfinishedResults) => {
  const open = await Promise.all(
    Object.entries(exports).map(async ([format, name]) => ({
      writer: EXPORTS[format as ExportFormat].create(),
      append: createText(await results.create(name)),
    })),
  );
  return {
    isWanted: open.length > 0,
    add: async (frames: readonly ExportedFrame[]): Promise<void> => {
      for (const { writer, append } of open) await append(frames.map(writer.add).join(''));
    },
    end: async (): Promise<void> => {
      for (const { writer, append } of open) {
        for (const piece of writer.end()) await append(piece);
      }
    },
  };
};

/** A JSON array in a file, one element per line. Frames are written as they are read. */
const createFrameList = (file: UnfinishedResult) => {
  let separator = '[\n';
  const append = createText(file);
  return {
    add: async (frames: readonly FrameReport[]): Promise<void> => {
      const lines = frames.map((frame) => {
        const { topic } = frame;
        return JSON.stringify({ ...frameMetadata(frame, false), ...(topic !== undefined && { topic }) });
      });
      await append(separator + lines.join(',\n'));
      separator = ',\n';
    },
    end: (): Promise<void> => append(separator === '[\n' ? '[]\n' : '\n]\n'),
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
    bag,
  } = report;
  return {
    frames: frameCount,
    lostFrames,
    isLossUncertain,
    padding: isWritten && !bag ? paddingOf(report) : [0, 0],
    reencodedAudioTracks,
    droppedAudioTracks,
    ...(droppedAudioCodecs && { droppedAudioCodecs }),
    ...(toneMapped && { toneMapped }),
    ...(bag && { bag }),
  };
};

/** Frames as exports have them, with the masks of their plans. */
const exportedFrames = async (
  { id, name, method }: TaskResults & { readonly method: Method },
  frames: readonly FrameReport[],
  part: number,
  tasks: TaskService,
): Promise<readonly ExportedFrame[]> => {
  const plans = (await tasks.framePlans(id, part)) ?? []; // none with `detect`
  return frames.map((frame, index) => {
    const plan = plans[index];
    return exportedFrame(posix.basename(name), frame, plan && { ...plan, method });
  });
};

const writeVideo = async (
  wanted: TaskResults,
  tasks: TaskService,
  results: UnfinishedResults,
): Promise<FileReport> => {
  const { id, outputs } = wanted;
  const result = found(await tasks.videoResult(id));
  if (outputs.anonymised !== null && result.anonymised) {
    await results.put(outputs.anonymised, found(await tasks.anonymisedVideo(id, result)));
  }
  const list =
    outputs.metadata === null ? undefined : createFrameList(await results.create(outputs.metadata));
  const exports = await beginExports(outputs, results);
  const tally = createTally();
  const task = found(await tasks.get(id));
  const uncertain = createUncertainTally((await editBaseOf(task, tasks)).checked);
  const { frameCount, durationS } = result.report;
  for (let first = 0; first < frameCount; first += FRAMES_PER_FILE) {
    const frames = found(await tasks.frames(id, first, Math.min(first + FRAMES_PER_FILE, frameCount) - 1));
    tally.add(frames.flatMap(({ detections }) => detections));
    uncertain.add(frames);
    await list?.add(frames);
    if (exports.isWanted) {
      const { method } = task.options;
      await exports.add(await exportedFrames({ ...wanted, method }, frames, first / FRAMES_PER_FILE, tasks));
    }
  }
  await list?.end();
  await exports.end();
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
  const { report, log } = outputs;
  if (report === null && log === null) return;
  const task = found(await service.tasks.get(id));
  const reading = { task, query: withDefaults(ReportQuery, {}), service, signal };
  if (report) {
    await results.put(report.json, (await jsonReport(reading)).file);
    await results.put(report.page, (await pageReport(reading)).file);
  }
  if (!log) return;
  const files = await readLog(reading);
  await results.put(log.json, files.json);
  await results.put(log.csv, files.csv);
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
