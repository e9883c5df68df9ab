import { lstat, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files of processes that cannot be asked are left over when nothing was written to them for so long. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Whether a process of this machine has this number. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Whether nothing was written for a day to a file, or to a folder and the files in it. */
export const isOld = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.mtimeMs >= Date.now() - MAX_AGE_MS) return false;
  if (!found.isDirectory()) return true;
  const names = await readdir(path).catch(() => []);
  const areOld = await Promise.all(names.map((name) => isOld(join(path, name))));
  return !areOld.includes(false);
};

/** A folder that only this user can read, for data that must not outlive the process. */
export interface PrivateFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** A process that owns a private folder. Numbers of processes are used again: the time of the start tells them apart. */
interface Owner {
  readonly pid: string;
  /** Clock ticks from the boot to the start of the process; `0` where the platform has no `/proc`. */
  readonly started: string;
  /** Where the number is valid: containers have numbers of their own. `0` where the platform has no `/proc`. */
  readonly numbering: string;
}

/** The owner stands in the name, so that a folder has one from the moment it exists. */
const NAME = /^\.?veil-private-(\d+)-(\d+)-(\d+)-/;

/** @returns `0` where the process does not run, or the platform has no `/proc` */
const startOf = async (pid: string): Promise<string> => {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name in brackets, and may contain anything; the start is the 22nd field.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
};

const numbering = async (): Promise<string> => {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? '0';
};

const ownerOf = (name: string): Owner | undefined => {
  const [, pid, started, place] = NAME.exec(name) ?? [];
  return pid && started && place ? { pid, started, numbering: place } : undefined;
};

const hasEnded = async (owner: Owner, path: string): Promise<boolean> => {
  if (owner.numbering !== (await numbering())) return isOld(path);
  return !isRunning(Number(owner.pid)) || (await startOf(owner.pid)) !== owner.started;
};

/**
 * @param pid owner of the folder; another than this process only in tests
 * @param prefix of its path. By default in the system's temporary folder, because a result folder may be given to others
 */
export const createPrivateFolder = async ({
  pid = process.pid,
  prefix = join(tmpdir(), 'veil-private-'),
} = {}): Promise<PrivateFolder> => {
  const mark = [pid, await startOf(String(pid)), await numbering()].join('-');
  const path = await mkdtemp(`${prefix}${mark}-`); // with mode 0700
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/** Removes the private folders of this user whose processes have ended without doing so: they were killed. */
export const removeLeftOverFolders = async (parent = tmpdir()): Promise<void> => {
  for (const name of await readdir(parent)) {
    const owner = ownerOf(name);
    const path = join(parent, name);
    if (!owner || !(await hasEnded(owner, path))) continue;
    const found = await lstat(path).catch(() => undefined);
    const isOwn = process.getuid === undefined || found?.uid === process.getuid();
    if (found?.isDirectory() && isOwn) await rm(path, { recursive: true, force: true });
  }
};
