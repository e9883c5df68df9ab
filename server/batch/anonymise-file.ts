import { megapixelsOfVideo, startClock, timedEngine, type TaskClock } from '#shared/tasks/run/task-clock';
import type { TaskStopped } from '#shared/tasks/run/task-stopped';
import { timeoutSentence } from '#shared/tasks/run/task-timeout';
import { timer } from '../adapters/timer';
import { anonymiseAsTask } from './anonymise-as-task';
import { anonymiseImage } from './anonymise-image';
import { anonymiseVideo } from './anonymise-video';
import type { BatchParts } from './batch-parts';
import { FileProblem } from './file-problem';
import type { MediaFile } from './media-file';
import { allNames } from './output-names';
import type { FileReport, Report } from './report';
import { beginResults, checkPlaces, removeResults, type UnfinishedResults } from './results';

const BY_KIND = { image: anonymiseImage, video: anonymiseVideo } as const satisfies Record<
  MediaFile['kind'],
  typeof anonymiseImage
>;

const anonymiseWithin = (
  file: MediaFile,
  results: UnfinishedResults,
  parts: BatchParts,
  signal: AbortSignal,
): Promise<FileReport> => {
  const { edits, saveReport } = parts.config;
  // Tasks are repeated by their service.
  if (edits || saveReport) return anonymiseAsTask(file, results, parts, signal);
  const anonymiseMedia = async (): Promise<FileReport> => {
    await results.discard(); // of an earlier attempt
    return BY_KIND[file.kind](file, results, parts, signal);
  };
  return parts.engine.retrying(anonymiseMedia, signal);
};

/** Parts of a file whose progress says how large it is. */
const withSize = (parts: BatchParts, takeSize: TaskClock['takeSize']): BatchParts => {
  const { report } = parts;
  const progressed: Report['progressed'] = (file, progress) => {
    takeSize(megapixelsOfVideo(progress));
    report.progressed(file, progress);
  };
  return { ...parts, report: { ...report, progressed } };
};

/** Processes one file. Its time limit starts when its processing starts. */
const anonymise = (
  file: MediaFile,
  results: UnfinishedResults,
  parts: BatchParts,
  stop: AbortSignal,
): Promise<FileReport> =>
  parts.limit(async () => {
    stop.throwIfAborted();
    parts.report.started(file);
    const timeout = new AbortController();
    const sized = { kind: file.kind, options: parts.config.options, source: file };
    const clock = startClock(sized, parts.config, timer, (reason) => timeout.abort(reason));
    const signal = AbortSignal.any([stop, timeout.signal]);
    try {
      const timed = { ...parts, engine: timedEngine(parts.engine, clock) };
      return await anonymiseWithin(file, results, withSize(timed, clock.takeSize), signal);
    } catch (error) {
      if (!timeout.signal.aborted || stop.aborted) throw error;
      const { limitMs } = timeout.signal.reason as TaskStopped;
      throw new FileProblem(timeoutSentence(limitMs), { cause: error });
    } finally {
      clock.end();
    }
  });

/**
 * Anonymises one image or video and writes its results.
 *
 * The manifest records the start and the end, so that an interrupted result is recognised and processed again.
 *
 * @throws UnreadableFile, FileProblem, DiskFull; FlagError for edits that do not fit the file
 */
export const anonymiseFile = async (
  file: MediaFile,
  parts: BatchParts,
  stop: AbortSignal,
): Promise<FileReport> => {
  const { config, manifest } = parts;
  await checkPlaces(config.outputFolder, file, manifest);
  const results = beginResults(config.outputFolder);
  try {
    const report = await anonymise(file, results, parts, stop);
    stop.throwIfAborted();

    const { name, from, source, options } = file;
    const outputs = allNames(file.outputs);
    const earlier = manifest.get(name)?.outputs ?? [];
    const { request, edits } = config;
    const entry = { name, from, source, options, request, ...(edits && { edited: true }) };
    await manifest.put({ ...entry, outputs: [...new Set([...earlier, ...outputs])], done: false });
    await results.commit();
    await removeResults(
      config.outputFolder,
      earlier.filter((each) => !outputs.includes(each)),
    );
    await manifest.put({ ...entry, outputs, done: true });
    return report;
  } finally {
    await results.discard();
  }
};
