import { cpus } from 'node:os';

type Cell = string | number;

/** One line of a markdown table. */
export const row = (cells: readonly Cell[]): string => `| ${cells.join(' | ')} |`;

/** Header row and separator. */
export const head = (columns: readonly Cell[]): string => `${row(columns)}\n${row(columns.map(() => '---'))}`;

/** The machine, because figures depend on it. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`;
