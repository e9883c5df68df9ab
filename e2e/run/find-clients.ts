import { spawnSync } from 'node:child_process';
import { installByApt } from './install-by-apt';

const runs = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A Python that has `requests`: Debian's own first, as its packages belong to it alone. */
export const installedPython = (): string | undefined =>
  ['/usr/bin/python3', 'python3'].find((python) => runs(python, '-c', 'import requests'));

export const installedCurl = (): string | undefined => ['curl'].find((curl) => runs(curl, '--version'));

/** Gets the programs that speak to the API in tests, where they are missing and can be had. */
export const getClients = (): void => {
  const missing = [
    ...(installedPython() ? [] : ['python3', 'python3-requests']),
    ...(installedCurl() ? [] : ['curl']),
  ];
  if (missing.length > 0) installByApt(...missing);
};
