import { spawnSync } from 'node:child_process';
import { installByApt } from './install-by-apt';

const runs = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A Python with `requests`. Debian's own comes first, because its packages belong only to it. */
export const installedPython = (): string | undefined =>
  ['/usr/bin/python3', 'python3'].find((python) => runs(python, '-c', 'import requests'));

export const installedCurl = (): string | undefined => ['curl'].find((curl) => runs(curl, '--version'));

/** Installs missing programs that send API requests in tests, if that is possible. */
export const getClients = (): void => {
  const missing = [
    ...(installedPython() ? [] : ['python3', 'python3-requests']),
    ...(installedCurl() ? [] : ['curl']),
  ];
  if (missing.length > 0) installByApt(...missing);
};
