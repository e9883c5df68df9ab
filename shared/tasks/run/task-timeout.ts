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
export const timeoutSentence = (limitMs: number): string =>
  `Processing the file took too long: the limit is ${readableDuration(limitMs)}.`;
