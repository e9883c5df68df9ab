import { workDone } from '#shared/engine/video/video-source';
import type { VideoProgress } from '#shared/ports/engine';
import type { MediaFile, MediaKind } from './media-file';

/** Current speed of a run. */
export interface Speed {
  readonly perS: number;
  readonly unit: 'images' | 'frames';
}

/** Progress of a run. */
export interface RunProgress {
  readonly total: number;
  /** Number of files that are done or failed. */
  readonly ended: number;
  readonly failed: number;
  /** Sums over the videos being processed; 0 if there are none. */
  readonly framesDone: number;
  readonly framesTotal: number;
  /** Number of videos that are being converted. */
  readonly converting: number;
  /** Progress over all files, 0..1. Files that are being processed count partly. */
  readonly share: number;
  /** Undefined as long as it is unknown. */
  readonly speed: Speed | undefined;
  readonly leftS: number | undefined;
}

/** Estimates the speed and remaining time of a run from the progress of its files. */
export interface Pace {
  started(file: MediaFile): void;
  progressed(file: MediaFile, progress: VideoProgress): void;
  /** @param path path of a file, which need not have been started */
  ended(path: string, hasFailed: boolean): void;
  progress(): RunProgress;
}

/** A file that is being processed. */
interface ActiveFile {
  readonly file: MediaFile;
  readonly startedS: number;
  progress: VideoProgress;
}

/** Work that is done and left for one kind of files, and the time spent. Units: images, or bytes of videos. */
interface Account {
  doneUnits: number;
  spentS: number;
  leftUnits: number;
}

const NO_FRAMES: VideoProgress = { framesDone: 0, framesTotal: 1 };

const isConverting = ({ framesDone, converted }: VideoProgress): boolean =>
  converted !== undefined && framesDone === 0;

/** Size of the work: 1 for an image, and bytes for a video, whose number of frames is unknown before it is opened. */
const unitsOf = ({ kind, sizeBytes }: MediaFile): number => (kind === 'image' ? 1 : sizeBytes);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Estimated seconds for the remaining work; undefined if no work of this kind is done yet. */
const secondsFor = ({ doneUnits, spentS, leftUnits }: Account): number | undefined => {
  if (leftUnits <= 0) return 0;
  return doneUnits > 0 ? (leftUnits * spentS) / doneUnits : undefined;
};

/** State of a run. */
interface Run {
  readonly workers: number;
  readonly nowS: () => number;
  readonly total: number;
  readonly accounts: Readonly<Record<MediaKind, Account>>;
  /** Files that have not ended, by path. */
  readonly waiting: Map<string, MediaFile>;
  readonly active: Map<string, ActiveFile>;
  failures: number;
}

/** The account with the finished parts of files that are being processed. */
const accountNow = ({ accounts, active, nowS }: Run, kind: MediaKind): Account => {
  const account = { ...accounts[kind] };
  for (const { file, startedS, progress } of active.values()) {
    const units = unitsOf(file) * workDone(progress);
    if (file.kind !== kind || units === 0) continue;
    account.doneUnits += units;
    account.leftUnits -= units;
    account.spentS += nowS() - startedS;
  }
  return account;
};

const speedNow = ({ accounts, active, workers, nowS }: Run): Speed | undefined => {
  const videos = [...active.values()].filter(({ progress }) => progress.framesDone > 0);
  const frames = sum(videos.map(({ progress, startedS }) => progress.framesDone / (nowS() - startedS)));
  if (videos.length > 0) return { perS: frames, unit: 'frames' };
  const { doneUnits, spentS } = accounts.image;
  return doneUnits > 0 ? { perS: (doneUnits / spentS) * workers, unit: 'images' } : undefined;
};

const secondsLeft = (run: Run): number | undefined => {
  const images = secondsFor(accountNow(run, 'image'));
  const videos = secondsFor(accountNow(run, 'video'));
  if (images === undefined || videos === undefined) return undefined;
  return (images + videos) / Math.max(1, Math.min(run.workers, run.waiting.size));
};

const progressOf = (run: Run): RunProgress => {
  const { total, waiting, active, failures } = run;
  const begun = [...active.values()].map(({ progress }) => progress).filter((each) => each !== NO_FRAMES);
  const videos = begun.filter((each) => !isConverting(each));
  const ended = total - waiting.size;
  return {
    total,
    ended,
    failed: failures,
    framesDone: sum(videos.map(({ framesDone }) => framesDone)),
    framesTotal: sum(videos.map(({ framesTotal }) => framesTotal)),
    converting: begun.length - videos.length,
    share: total === 0 ? 1 : (ended + sum(begun.map(workDone))) / total,
    speed: speedNow(run),
    leftS: secondsLeft(run),
  };
};

const endFile = (run: Run, file: MediaFile, hasFailed: boolean): void => {
  const account = run.accounts[file.kind];
  const work = run.active.get(file.path);
  account.leftUnits -= unitsOf(file);
  if (work && !hasFailed) {
    account.doneUnits += unitsOf(file);
    account.spentS += run.nowS() - work.startedS;
  }
  run.active.delete(file.path);
  run.waiting.delete(file.path);
};

const accountFor = (files: readonly MediaFile[], kind: MediaKind): Account => ({
  doneUnits: 0,
  spentS: 0,
  leftUnits: sum(files.filter((file) => file.kind === kind).map(unitsOf)),
});

/**
 * Estimates images and videos separately, because a video takes as long as hundreds of images.
 *
 * @param workers number of files processed at the same time
 * @param nowS monotonic clock, in seconds
 */
export const createPace = (files: readonly MediaFile[], workers: number, nowS: () => number): Pace => {
  const run: Run = {
    workers,
    nowS,
    total: files.length,
    accounts: { image: accountFor(files, 'image'), video: accountFor(files, 'video') },
    waiting: new Map(files.map((file) => [file.path, file])),
    active: new Map(),
    failures: 0,
  };
  return {
    started: (file) => void run.active.set(file.path, { file, startedS: nowS(), progress: NO_FRAMES }),
    progressed: ({ path }, progress) => {
      const work = run.active.get(path);
      if (work) work.progress = progress;
    },
    ended: (path, hasFailed) => {
      if (hasFailed) run.failures += 1;
      const file = run.waiting.get(path);
      if (file) endFile(run, file, hasFailed);
    },
    progress: () => progressOf(run),
  };
};
