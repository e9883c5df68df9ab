import type { KeptProcess } from './kept-process';

interface Line {
  readonly level?: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
}

const ERROR = 50;

const parse = (line: string): Line => {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return {}; // Not of the log
  }
};

/** Errors in the logs of processes: how often each message was written, and the first stack of each. */
export const loggedErrors = (processes: readonly KeptProcess[]): readonly string[] => {
  const errors = new Map<string, { count: number; readonly stack: string }>();
  for (const { output } of processes) {
    for (const { level = 0, msg = '', err } of output().split('\n').map(parse)) {
      if (level < ERROR) continue;
      const stack = err?.stack ?? '';
      const key = `${msg} ${stack.split('\n')[0] ?? ''}`;
      const known = errors.get(key);
      if (known) known.count += 1;
      else errors.set(key, { count: 1, stack });
    }
  }
  return [...errors].map(([key, { count, stack }]) => `${count}× ${key}\n${stack}`);
};
