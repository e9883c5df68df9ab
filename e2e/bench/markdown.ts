import { cpus } from 'node:os';

type Cell = string | number;

/** One line of a markdown table. */
export const row = (cells: readonly Cell[]): string => `| ${cells.join(' | ')} |`;

/** The columns' names and the line under them. */
export const head = (columns: readonly Cell[]): string => `${row(columns)}\n${row(columns.map(() => '---'))}`;

/** Figures mean nothing without the machine that they were measured on. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`;
