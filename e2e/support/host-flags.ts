import type { HostNeeds } from '#shared/testing/conformance';

/** The server's start-up flags for the settings that a conformance case needs. */
export const flagsFor = ({
  classes,
  saveMask,
  hold,
  syncWhenBusy,
  concurrency,
  strictParameters,
}: HostNeeds): string[] => [
  ...classes.flatMap((objectClass) => ['-a', objectClass]),
  ...['--save-mask', saveMask],
  ...['--hold', hold],
  ...['--sync-when-busy', syncWhenBusy],
  ...['--workers', String(concurrency)],
  ...(strictParameters ? ['--strict-parameters'] : []),
];

/** The same for `veil api`. Its workers have one slot each, and it keeps all results. */
export const clusterFlagsFor = ({
  classes,
  saveMask,
  syncWhenBusy,
  strictParameters,
}: HostNeeds): string[] => [
  ...classes.flatMap((objectClass) => ['-a', objectClass]),
  ...['--save-mask', saveMask],
  ...['--sync-when-busy', syncWhenBusy],
  ...(strictParameters ? ['--strict-parameters'] : []),
];
