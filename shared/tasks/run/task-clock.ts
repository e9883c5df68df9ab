import type { RequestedTiling } from '../../domain/options';
import type { FileFacts } from '../../domain/image-header';
import type { Task, VideoTask } from '../../domain/task';
import type { VideoProgress } from '../../ports/engine';
import type { Timer } from '../../ports/system';
import type { ServiceSettings } from '../base/settings';

const UNITS = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1_000 },
] as const;

/** `1800000` → `30 minutes`; larger units only where they are exact. */
export const readableDuration = (ms: number): string => {
  const { name, ms: unitMs } = UNITS.find((unit) => ms % unit.ms === 0) ?? UNITS[3];
  const count = ms / unitMs;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
};

/** Public sentence of a file that exceeded the time limit. */
export const timeoutMessage = (limitMs: number): string =>
  `Processing the file took too long: the limit is ${readableDuration(limitMs)}.`;

/** Why a task's work is stopped before its end. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped';

  /** @param limitMs the time limit that was exceeded, where that is the cause */
  constructor(
    override readonly cause: 'cancellation' | 'deletion' | 'replacement' | 'shutdown' | 'timeout',
    readonly limitMs = 0,
  ) {
    super(`The task was stopped: ${cause}.`);
  }
}

/** Settings of the time that a task may take. */
export type TimeSettings = Pick<ServiceSettings, 'limits' | 'taskTimeoutMs' | 'taskTimeoutMsPerMegapixel'>;

const MEGAPIXEL = 1e6;
const MINUTE_MS = 60_000;
/** Timers cannot wait longer. */
const MAX_MS = 24 * 24 * 60 * MINUTE_MS;

/**
 * Pixels that one byte of a video stands for until it is open: 1080p at 30 frames a second with 1 Mbit/s, which is
 * little. Only its conversion takes long until then, and that takes a small share of the time.
 */
const PIXELS_PER_BYTE = 500;

/** Each frame counts as one megapixel at least: detectors enlarge smaller ones. */
export const megapixelsOfFrames = (frames: number, pixels: number): number =>
  frames * Math.max(1, pixels / MEGAPIXEL);

/** The same of a video in work; undefined while it is converted. */
export const megapixelsOfVideo = ({ framesTotal, pixels }: VideoProgress): number | undefined =>
  pixels === undefined ? undefined : megapixelsOfFrames(framesTotal, pixels);

/** What is searched of an image: all of it, and each of its tiles. A panorama is searched at a width of its own. */
const megapixelsOfImage = (pixels: number, tiling: RequestedTiling): number => {
  const whole = Math.max(1, pixels / MEGAPIXEL);
  if (tiling.kind === 'pano') return Math.max(whole, tiling.width ** 2 / 2 / MEGAPIXEL);
  // A panorama that its file names is searched at its own width.
  if (tiling.kind !== 'grid') return whole;
  const { number, overlap } = tiling;
  const [across, down] = number.map((count, side) => count - (count - 1) * overlap[side]!) as [
    number,
    number,
  ];
  return whole + number[0] * number[1] * Math.max(1, pixels / MEGAPIXEL / (across * down));
};

/** What says how large a file is. */
interface Sized extends Pick<Task, 'kind' | 'header'> {
  readonly options: Pick<Task['options'], 'format'>;
  readonly video?: Pick<VideoTask, 'megapixels'>;
  readonly source?: Pick<FileFacts, 'sizeBytes'>;
}

/** Size of a file as its time limit counts it. What is not known counts as the largest that is accepted. */
const megapixelsOf = (
  { kind, header, video, source, options }: Sized,
  { maxPixels, maxUploadBytes }: TimeSettings['limits'],
): number =>
  kind === 'image'
    ? megapixelsOfImage(header ? header.width * header.height : maxPixels, options.format)
    : (video?.megapixels ?? ((source?.sizeBytes ?? maxUploadBytes) * PIXELS_PER_BYTE) / MEGAPIXEL);

/** The longest that a file of this size may be worked on; undefined: no limit. */
const timeLimitOf = (
  megapixels: number,
  { taskTimeoutMs, taskTimeoutMsPerMegapixel = 0 }: TimeSettings,
): number | undefined => {
  if (taskTimeoutMs === undefined || taskTimeoutMsPerMegapixel === 0) return taskTimeoutMs;
  const ms = taskTimeoutMs + taskTimeoutMsPerMegapixel * megapixels;
  return Math.min(MAX_MS, Math.ceil(ms / MINUTE_MS) * MINUTE_MS);
};

/** Measures the time that a file is worked on. */
export interface TaskClock {
  /** Starts the time of a video again, in proportion to its size, when that is known for the first time. */
  takeSize(megapixels: number | undefined): void;
  /** Starts the time again, for another attempt. */
  restart(): void;
  /** Ends the measurement. */
  end(): void;
}

/**
 * Starts the time limit of a file.
 *
 * @param timer undefined: there is no limit
 * @param onTimeout called with the reason if the limit is exceeded
 */
export const startClock = (
  file: Sized,
  settings: TimeSettings,
  timer: Timer | undefined,
  onTimeout: (reason: TaskStopped) => void,
): TaskClock => {
  const start = (megapixels: number): (() => void) => {
    const limitMs = timeLimitOf(megapixels, settings);
    if (limitMs === undefined || !timer) return () => undefined;
    return timer.after(limitMs, () => onTimeout(new TaskStopped('timeout', limitMs)));
  };
  let size: number | undefined;
  let cancel = (): void => undefined;
  const restart = (): void => {
    cancel();
    cancel = start(size ?? megapixelsOf(file, settings.limits));
  };
  restart();
  return {
    takeSize: (megapixels) => {
      if (size !== undefined || megapixels === undefined) return;
      size = megapixels;
      restart();
    },
    restart,
    end: () => cancel(),
  };
};
