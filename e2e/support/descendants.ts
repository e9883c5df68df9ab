import { readdirSync, readFileSync } from 'node:fs';

/** Parent process. The process name before it may contain any characters, including brackets. */
const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2]);
  } catch {
    return Number.NaN;
  }
};

const allProcesses = (): number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

/** All processes that a process has started, directly or not. */
export const descendantsOf = (pid: number): readonly number[] => {
  const parents = new Map(allProcesses().map((one) => [one, parentOf(one)]));
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family.slice(1);
};
