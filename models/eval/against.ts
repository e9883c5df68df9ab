import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_COLUMNS } from './table';

/** Rows of a table by their key columns, each a map from column to cell. */
export type ReadTable = ReadonlyMap<string, ReadonlyMap<string, string>>;

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Reads the first Markdown table of a text that has the key columns. */
export const readTable = (text: string): ReadTable => {
  const lines = text.split('\n').filter((line) => line.trimStart().startsWith('|'));
  const start = lines.findIndex((line) => KEY_COLUMNS.every((name) => cellsOf(line).includes(name)));
  const table = new Map<string, ReadonlyMap<string, string>>();
  if (start < 0) return table;
  const names = cellsOf(lines[start] as string);
  for (const line of lines.slice(start + 2)) {
    const cells = cellsOf(line);
    if (cells.length !== names.length) break;
    const columns = new Map(names.map((name, i) => [name, cells[i] as string]));
    table.set(KEY_COLUMNS.map((name) => columns.get(name)).join(', '), columns);
  }
  return table;
};

const figure = (cell: string | undefined): number => Number.parseFloat(cell ?? '');

/** The changes between two tables, with a line of text for each common row. */
export const describeChanges = (before: ReadTable, now: ReadTable): string[] =>
  [...now].flatMap(([key, columns]) => {
    const old = before.get(key);
    if (!old) return [`- ${key}: not measured before`];
    const changes = [...columns].flatMap(([name, cell]) => {
      const [from, to] = [figure(old.get(name)), figure(cell)];
      if (Number.isNaN(from) || Number.isNaN(to) || from === to) return [];
      return [`${name} ${from} → ${to}`];
    });
    return [`- ${key}: ${changes.length === 0 ? 'nothing changed' : changes.join('; ')}`];
  });

const ROOT = join(import.meta.dirname, '../..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

/** Evaluates another commit of the repository in a temporary worktree next to it. */
const evaluateAt = (ref: string, flags: readonly string[]): string => {
  const folder = mkdtempSync(join(ROOT, '../.veil-eval-'));
  try {
    git('worktree', 'add', '--quiet', '--detach', '--force', folder, ref);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return execFileSync('node_modules/.bin/tsx', ['models/eval/eval.ts', ...flags], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  }
};

/**
 * Returns the table to compare with.
 *
 * @param against a file with a table, or a git ref
 * @param flags options for the evaluation of that ref
 */
export const tableOf = (against: string, flags: readonly string[]): ReadTable =>
  readTable(existsSync(against) ? readFileSync(against, 'utf8') : evaluateAt(against, flags));
