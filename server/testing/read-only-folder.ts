import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, [...args], { stdio: 'ignore' }).status === 0;

/** Makes a folder writable again. */
export type MakeWritable = () => void;

/**
 * Makes a folder read-only for all processes, also those of root, by a mount of the folder on itself.
 *
 * A second place is made read-only first, because a mount with a file that is being written refuses to become so.
 *
 * @returns undefined if this user or this machine does not permit mounts
 */
export const makeReadOnly = (folder: string): MakeWritable | undefined => {
  const place = mkdtempSync(join(tmpdir(), 'veil-read-only-'));
  const unmount = (path: string): boolean => run('umount', '--lazy', path);
  try {
    if (!run('mount', '--bind', folder, place)) return undefined;
    const isMounted = run('mount', '-o', 'remount,bind,ro', place) && run('mount', '--bind', place, folder);
    unmount(place);
    if (!isMounted) return undefined;
  } finally {
    rmdirSync(place);
  }
  const end = (): void => void unmount(folder);
  process.once('exit', end);
  return () => {
    process.off('exit', end);
    end();
  };
};
