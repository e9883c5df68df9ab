import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of the times in `/proc`, on all usual kernels. */
const TICKS_PER_SECOND = 100;
const MS_PER_TICK = 1000 / TICKS_PER_SECOND;

interface ProcessTimes {
  readonly parent: number;
  readonly ownMs: number;
  /** Of children that have ended. */
  readonly endedMs: number;
}

/** @returns undefined for a process that has ended, and where there is no `/proc` */
const timesOf = (pid: number | string): ProcessTimes | undefined => {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index],
    );
    return { parent, ownMs: (user + system) * MS_PER_TICK, endedMs: (endedUser + endedSystem) * MS_PER_TICK };
  } catch {
    return undefined;
  }
};

/** CPU time of a process that runs; NaN where there is no `/proc`. */
export const cpuMsOf = (pid: number | undefined): number => timesOf(pid ?? 0)?.ownMs ?? Number.NaN;

/** CPU time of a process with its children and theirs, also of those that have ended. */
export const familyCpuMs = (pid: number): number => {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const times = timesOf(name);
        return times ? [[Number(name), times] as const] : [];
      }),
  );
  const sum = (id: number): number => {
    const { ownMs = 0, endedMs = 0 } = all.get(id) ?? {};
    const children = [...all].filter(([, { parent }]) => parent === id);
    return ownMs + endedMs + children.reduce((total, [child]) => total + sum(child), 0);
  };
  return sum(pid);
};
