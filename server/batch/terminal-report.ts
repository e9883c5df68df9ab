import { bagChanges } from '#shared/domain/bag';
import { createPace, type Pace, type RunProgress } from './pace';
import type { Counts, FileReport, Report } from './report';

const BAR_COLUMNS = 20;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A duration such as `0:07`, `12:05` or `3:20:00`. */
export const formatClock = (seconds: number): string => {
  const whole = Math.ceil(seconds);
  const hours = Math.floor(whole / HOUR_S);
  const minutes = Math.floor((whole % HOUR_S) / MINUTE_S);
  const rest = twoDigits(whole % MINUTE_S);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
};

const bar = (share: number): string => {
  const full = Math.floor(share * BAR_COLUMNS);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_COLUMNS - full)}]`;
};

/**
 * A line with the progress, the speed and the remaining time of a run.
 *
 * @param columns width of the terminal; the line is cut to it
 */
export const progressLine = (progress: RunProgress, columns: number): string => {
  const { total, ended, failed, framesDone, framesTotal, converting, share, speed, leftS } = progress;
  const facts = [`${ended} of ${total}`];
  if (framesTotal > 0) facts.push(`frame ${framesDone} of ${framesTotal}`);
  if (converting > 0) facts.push('converting');
  if (speed) facts.push(`${speed.perS.toFixed(speed.perS < 10 ? 1 : 0)} ${speed.unit}/s`);
  if (leftS !== undefined && ended < total) facts.push(`${formatClock(leftS)} left`);
  if (failed > 0) facts.push(`${failed} failed`);
  // The last column stays empty, because terminals wrap lines that reach it.
  return `${bar(share)} ${facts.join(', ')}`.slice(0, Math.max(0, columns - 1));
};

/** Outputs of a report for people. */
export interface Terminal {
  /** Standard output, which gets one line at the end. */
  out(text: string): void;
  /** Standard error, which gets everything else. */
  err(text: string): void;
  /** Width of the terminal; undefined if `err` is not a terminal, so that no progress line is drawn. */
  readonly columns: () => number | undefined;
  /** Monotonic clock, in seconds. */
  readonly nowS: () => number;
  /** Number of files processed at the same time. */
  readonly workers: number;
  /** Whether files with uncertain objects are named. */
  readonly namesUncertain?: boolean;
}

const CLEAR_LINE = '\r\x1b[2K';

/** Replaces control and format characters, which could move the cursor or hide text. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '?');

const summary = ({ done, failed, skipped, left, open, uncertain = 0 }: Counts, seconds: number): string => {
  const facts = [`${done} ${done === 1 ? 'file' : 'files'} done`];
  if (skipped > 0) facts.push(`${skipped} already done`);
  if (failed > 0) facts.push(`${failed} failed`);
  if (uncertain > 0) facts.push(`${uncertain} with uncertain objects`);
  if (open > 0) facts.push(`${open} not done`);
  if (left > 0) facts.push(`${left} other ${left === 1 ? 'file' : 'files'} ignored`);
  return `${facts.join(', ')} (${formatClock(seconds)}).`;
};

/** A sentence about audio tracks that are missing, if there are any. */
const aboutAudio = ({
  droppedAudioTracks: count,
  droppedAudioCodecs: codecs,
}: NonNullable<FileReport['video']>): string[] => {
  if (count === 0) return [];
  const named = codecs ? ` (${codecs.join(', ')})` : '';
  return [
    `${count} of its audio tracks${named} can be neither copied nor encoded again and ${count === 1 ? 'is' : 'are'} left out.`,
  ];
};

const changes = ({ preview, toneMapped, bag }: NonNullable<FileReport['video']>): string[] => {
  const sentences = [
    ...(preview === undefined ? [] : [`Its result is a preview: it ends after ${preview} seconds.`]),
    ...(bag ? bagChanges(bag) : []),
  ];
  if (!toneMapped) return sentences;
  return [
    ...sentences,
    `It is in high dynamic range (${toneMapped.toUpperCase()}); its result is in standard range.`,
  ];
};

/** Losses and changes in the result of a video, as sentences. */
const losses = ({ video }: FileReport): string[] => {
  const { lostFrames = 0, isLossUncertain, reencodedAudioTracks = 0 } = video ?? {};
  const sentences: string[] = [];
  if (lostFrames > 0) {
    sentences.push(
      `${lostFrames} of its frames could not be decoded and ${lostFrames === 1 ? 'is' : 'are'} left out.`,
    );
  }
  if (isLossUncertain) {
    sentences.push('The file is damaged, and the number of its missing frames is not known exactly.');
  }
  if (reencodedAudioTracks > 0) {
    sentences.push(
      `${reencodedAudioTracks} of its audio tracks cannot be stored in MP4 and ${reencodedAudioTracks === 1 ? 'is' : 'are'} encoded again.`,
    );
  }
  return video ? [...sentences, ...aboutAudio(video), ...changes(video)] : sentences;
};

/** A sentence about objects that a person should check, if there are any. */
const aboutUncertain = (count: number): string[] => {
  if (count === 0) return [];
  return [`${count} of its objects ${count === 1 ? 'is' : 'are'} uncertain: check its result.`];
};

/** A report for people: a progress line, a sentence for each failure, and a sum. */
export interface TerminalReport extends Report {
  /** Removes the progress line, so that other text can be written. */
  clear(): void;
}

export const createTerminalReport = ({
  out,
  err,
  columns,
  nowS,
  workers,
  namesUncertain = false,
}: Terminal): TerminalReport => {
  let pace: Pace = createPace([], workers, nowS);
  const clear = (): void => {
    if (columns() !== undefined) err(CLEAR_LINE);
  };
  const draw = (): void => {
    const width = columns();
    if (width === undefined) return;
    const progress = pace.progress();
    if (progress.total > 0) err(CLEAR_LINE + progressLine(progress, width));
  };
  const complain = (path: string, reason: string): void => {
    clear();
    err(`${printable(path)}: ${printable(reason)}\n`);
  };
  return {
    clear,
    planned: ({ files, notTaken, done }) => {
      for (const { kind, path, reason } of notTaken) if (kind === 'failed') complain(path, reason);
      for (const { path, uncertain = 0 } of done) {
        for (const sentence of aboutUncertain(uncertain)) complain(path, sentence);
      }
      pace = createPace(files, workers, nowS);
      draw();
    },
    started: (file) => pace.started(file),
    progressed: (file, progress) => {
      pace.progressed(file, progress);
      draw();
    },
    done: ({ path }, report) => {
      pace.ended(path, false);
      for (const loss of losses(report)) complain(path, loss);
      if (report.projectionWarning !== undefined) complain(path, report.projectionWarning);
      const { count } = report.uncertain;
      for (const sentence of aboutUncertain(namesUncertain ? count : 0)) complain(path, sentence);
      draw();
    },
    failed: (path, reason) => {
      pace.ended(path, true);
      complain(path, reason);
      draw();
    },
    ended: (counts, seconds, problem) => {
      clear();
      if (problem !== undefined) err(`${problem}\n`);
      out(`${summary(counts, seconds)}\n`);
    },
  };
};
