/** Where a run stands. */
export interface Standing {
  readonly total: number;
  /** Done and failed. */
  readonly ended: number;
  readonly failed: number;
  readonly elapsedS: number;
}

const BAR_COLUMNS = 20;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `0:07`, `12:05`, `3:20:00` */
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
 * One line that says how far a run is, how fast it goes and how long it will take.
 *
 * @param columns of the terminal; what does not fit is cut off
 */
export const progressLine = ({ total, ended, failed, elapsedS }: Standing, columns: number): string => {
  const facts = [`${ended} of ${total}`];
  if (ended > 0 && elapsedS > 0) {
    const rate = ended / elapsedS;
    facts.push(`${rate.toFixed(rate < 10 ? 1 : 0)} pictures/s`, `${clock((total - ended) / rate)} left`);
  }
  if (failed > 0) facts.push(`${failed} failed`);
  // One column stays free: terminals wrap when the last one is written to.
  return `${bar(total === 0 ? 1 : ended / total)} ${facts.join(', ')}`.slice(0, Math.max(0, columns - 1));
};
