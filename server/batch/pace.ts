import { workDone } from '#shared/engine/video/video-progress';
import type { VideoProgress } from '#shared/ports/engine';
import type { MediaFile, MediaKind } from './media-file';

/** How fast it goes. */
export interface Speed {
  readonly perS: number;
  readonly unit: 'pictures' | 'frames';
}

/** Where a run stands. */
export interface Standing {
  readonly total: number;
  /** Done and failed. */
  readonly ended: number;
  readonly failed: number;
  /** Of the videos being processed; 0 if there are none. */
  readonly framesDone: number;
  readonly framesTotal: number;
  /** Videos that are made readable first. */
  readonly converting: number;
  /** Of all files, counting those being processed in part, 0..1. */
  readonly share: number;
  /** Undefined: too early to say. */
  readonly speed: Speed | undefined;
  readonly leftS: number | undefined;
}

/** Estimates the speed and remaining time of a run from the progress of its files. */
export interface Pace {
  started(file: MediaFile): void;
  progressed(file: MediaFile, progress: VideoProgress): void;
  /** @param path of a file that may never have been started */
  ended(path: string, hasFailed: boolean): void;
  standing(): Standing;
}

/** Files in the engine. */
interface InWork {
  readonly file: MediaFile;
  readonly startedS: number;
  progress: VideoProgress;
}

/** Of one kind of files: how much is done, in how much time, and how much is left. */
interface Account {
  doneUnits: number;
  workedS: number;
  leftUnits: number;
}

const NO_FRAMES: VideoProgress = { framesDone: 0, framesTotal: 1 };

const isConverting = ({ framesDone, converted }: VideoProgress): boolean =>
  converted !== undefined && framesDone === 0;

/** How many frames a video has is known only once it is opened: before, its bytes tell how long it will take. */
const unitsOf = ({ kind, sizeBytes }: MediaFile): number => (kind === 'image' ? 1 : sizeBytes);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Undefined where something is left of which nothing has been done yet. */
const secondsFor = ({ doneUnits, workedS, leftUnits }: Account): number | undefined => {
  if (leftUnits <= 0) return 0;
  return doneUnits > 0 ? (leftUnits * workedS) / doneUnits : undefined;
};

/** What is known of a run. */
interface Run {
  readonly workers: number;
  readonly nowS: () => number;
  readonly total: number;
  readonly accounts: Readonly<Record<MediaKind, Account>>;
  /** Not ended, by path. */
  readonly waiting: Map<string, MediaFile>;
  readonly inWork: Map<string, InWork>;
  failures: number;
}

/** As if the files being processed had ended at their current progress. */
const accountNow = ({ accounts, inWork, nowS }: Run, kind: MediaKind): Account => {
  const account = { ...accounts[kind] };
  for (const { file, startedS, progress } of inWork.values()) {
    const units = unitsOf(file) * workDone(progress);
    if (file.kind !== kind || units === 0) continue;
    account.doneUnits += units;
    account.leftUnits -= units;
    account.workedS += nowS() - startedS;
  }
  return account;
};

const speedNow = ({ accounts, inWork, workers, nowS }: Run): Speed | undefined => {
  const videos = [...inWork.values()].filter(({ progress }) => progress.framesDone > 0);
  const frames = sum(videos.map(({ progress, startedS }) => progress.framesDone / (nowS() - startedS)));
  if (videos.length > 0) return { perS: frames, unit: 'frames' };
  const { doneUnits, workedS } = accounts.image;
  return doneUnits > 0 ? { perS: (doneUnits / workedS) * workers, unit: 'pictures' } : undefined;
};

const secondsLeft = (run: Run): number | undefined => {
  const images = secondsFor(accountNow(run, 'image'));
  const videos = secondsFor(accountNow(run, 'video'));
  if (images === undefined || videos === undefined) return undefined;
  return (images + videos) / Math.max(1, Math.min(run.workers, run.waiting.size));
};

const standingOf = (run: Run): Standing => {
  const { total, waiting, inWork, failures } = run;
  const begun = [...inWork.values()].map(({ progress }) => progress).filter((each) => each !== NO_FRAMES);
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
  const work = run.inWork.get(file.path);
  account.leftUnits -= unitsOf(file);
  if (work && !hasFailed) {
    account.doneUnits += unitsOf(file);
    account.workedS += run.nowS() - work.startedS;
  }
  run.inWork.delete(file.path);
  run.waiting.delete(file.path);
};

const accountFor = (files: readonly MediaFile[], kind: MediaKind): Account => ({
  doneUnits: 0,
  workedS: 0,
  leftUnits: sum(files.filter((file) => file.kind === kind).map(unitsOf)),
});

/**
 * Reckons pictures and videos apart: a video takes as long as hundreds of pictures.
 *
 * @param workers files processed at the same time
 * @param nowS monotonic, seconds
 */
export const createPace = (files: readonly MediaFile[], workers: number, nowS: () => number): Pace => {
  const run: Run = {
    workers,
    nowS,
    total: files.length,
    accounts: { image: accountFor(files, 'image'), video: accountFor(files, 'video') },
    waiting: new Map(files.map((file) => [file.path, file])),
    inWork: new Map(),
    failures: 0,
  };
  return {
    started: (file) => void run.inWork.set(file.path, { file, startedS: nowS(), progress: NO_FRAMES }),
    progressed: ({ path }, progress) => {
      const work = run.inWork.get(path);
      if (work) work.progress = progress;
    },
    ended: (path, hasFailed) => {
      if (hasFailed) run.failures += 1;
      const file = run.waiting.get(path);
      if (file) endFile(run, file, hasFailed);
    },
    standing: () => standingOf(run),
  };
};
