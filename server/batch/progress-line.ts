import type { Standing } from './pace';

const BAR_COLUMNS = 20;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A duration such as `0:07`, `12:05` or `3:20:00`. */
export const clock = (seconds: number): string => {
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
export const progressLine = (standing: Standing, columns: number): string => {
  const { total, ended, failed, framesDone, framesTotal, converting, share, speed, leftS } = standing;
  const facts = [`${ended} of ${total}`];
  if (framesTotal > 0) facts.push(`frame ${framesDone} of ${framesTotal}`);
  if (converting > 0) facts.push('converting');
  if (speed) facts.push(`${speed.perS.toFixed(speed.perS < 10 ? 1 : 0)} ${speed.unit}/s`);
  if (leftS !== undefined && ended < total) facts.push(`${clock(leftS)} left`);
  if (failed > 0) facts.push(`${failed} failed`);
  // The last column stays empty, because terminals wrap lines that reach it.
  return `${bar(share)} ${facts.join(', ')}`.slice(0, Math.max(0, columns - 1));
};
