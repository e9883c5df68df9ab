import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BATCH_FLAGS } from './batch-flags';
import { COMMON_FLAGS } from './common-flags';
import { AUDIT_REMOVE_OPTION, GRANT_OPTIONS, IMPORT_FROM_OPTION, ROLE_FLAGS } from './cluster-commands';
import { SERVICE_FLAGS, WORKER_FLAGS } from './cluster-flags';
import type { NamedOption } from './flag';
import { SERVER_FLAGS } from './server-flags';
import { SCOPES } from '#shared/domain/scope';
import { PROBES } from '../http/serve-probes';

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

/** The flags of each table of the README, in its order. */
const TABLES: readonly (readonly NamedOption[])[] = [
  ...[COMMON_FLAGS, SERVER_FLAGS, BATCH_FLAGS, SERVICE_FLAGS, WORKER_FLAGS],
  [...Object.values(GRANT_OPTIONS), IMPORT_FROM_OPTION, AUDIT_REMOVE_OPTION],
];

const cellsOf = ({ name, short, value, help }: NamedOption): readonly string[] => {
  const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  return [`\`${flag}\``, help.replaceAll('<', '\\<')].map((cell) => cell.replaceAll('|', '\\|'));
};

const tableOf = (flags: readonly NamedOption[]): string => {
  const rows = [['Flag', 'What'], ...flags.map(cellsOf)];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const [head, ...others] = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [head!, rule, ...others].map((row) => `| ${row.join(' | ')} |\n`).join('');
};

it('the README has the flags and descriptions of --help; the option -u writes them', async () => {
  const tables = [...TABLES];
  const written = README.replaceAll(/^\| Flag .*\n(\|.*\n)+/gm, () => tableOf(tables.shift() ?? []));
  expect(tables).toEqual([]);
  await expect(written).toMatchFileSnapshot('../README.md');
});

it.each(SCOPES)('the README says what a token with the scope %s may do', (scope) => {
  expect(README).toContain(`| \`${scope}\``);
});

it.each(Object.values(PROBES))('the README describes %s', (path) => {
  expect(README).toContain(`| \`${path}\``);
});

it.each(['api', 'worker', 'import', 'audit'] as const)(
  'the README lists the other flags of the role %s',
  (role) => {
    const own: readonly { readonly name: string }[] = [...SERVICE_FLAGS, ...WORKER_FLAGS];
    const others = ROLE_FLAGS[role].filter(({ name }) => !own.some((flag) => flag.name === name));
    const [, listed = ''] = new RegExp(`^- \`${role}\`: ([^]*?)(?:\n- |\n*$)`, 'm').exec(README) ?? [];
    const names = [...listed.matchAll(/`--([\w-]+)`/g)].map(([, name]) => name);
    expect(names).toEqual(others.map(({ name }) => name));
  },
);
