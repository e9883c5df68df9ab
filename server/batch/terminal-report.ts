import { clock, progressLine } from './progress-line';
import type { Counts, Report } from './report';

/** Where a report for people goes. */
export interface Terminal {
  /** The result: one line at the end. */
  out(text: string): void;
  /** Everything else. */
  err(text: string): void;
  /** Of `err`; undefined where it is no terminal, and no line can be drawn over. */
  readonly columns: () => number | undefined;
  /** Monotonic, seconds. */
  readonly nowS: () => number;
}

const CLEAR_LINE = '\r\x1b[2K';

/** A name for a terminal: nothing in it moves the cursor or hides what follows. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '?');

const summary = ({ done, failed, skipped, left, open }: Counts, seconds: number): string => {
  const facts = [`${done} ${done === 1 ? 'picture' : 'pictures'} done`];
  if (skipped > 0) facts.push(`${skipped} done before`);
  if (failed > 0) facts.push(`${failed} failed`);
  if (open > 0) facts.push(`${open} not done`);
  if (left > 0) facts.push(`${left} other ${left === 1 ? 'file' : 'files'} left alone`);
  return `${facts.join(', ')} (${clock(seconds)}).`;
};

/** What a person at a terminal reads: a line that moves, a sentence for each failure, and a sum. */
export interface TerminalReport extends Report {
  /** Takes the moving line away, so that something else can be written. */
  clear(): void;
}

export const createTerminalReport = ({ out, err, columns, nowS }: Terminal): TerminalReport => {
  let total = 0;
  let ended = 0;
  let failures = 0;
  let startedS = 0;
  const clear = (): void => {
    if (columns() !== undefined) err(CLEAR_LINE);
  };
  const draw = (): void => {
    const width = columns();
    if (width === undefined || total === 0) return;
    const standing = { total, ended, failed: failures, elapsedS: nowS() - startedS };
    err(CLEAR_LINE + progressLine(standing, width));
  };
  const complain = (path: string, reason: string): void => {
    clear();
    err(`${printable(path)}: ${printable(reason)}\n`);
  };
  return {
    clear,
    planned: ({ pictures, notTaken }) => {
      startedS = nowS();
      for (const { kind, path, reason } of notTaken) if (kind === 'failed') complain(path, reason);
      total = pictures.length;
      draw();
    },
    done: () => {
      ended += 1;
      draw();
    },
    failed: (path, reason) => {
      ended += 1;
      failures += 1;
      complain(path, reason);
      draw();
    },
    ended: (counts, seconds, problem) => {
      clear();
      if (problem !== undefined) err(`${problem}\n`);
      out(`${summary(counts, seconds)}\n`);
    },
  };
};
