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
/** Removes the padding and the backslashes of a Markdown table. */
const plain = (text: string): string => text.replaceAll('\\', '').replaceAll(/ +/g, ' ');
const rows = plain(README).split('\n');

const ALL: readonly NamedOption[] = [
  ...[...COMMON_FLAGS, ...SERVER_FLAGS, ...BATCH_FLAGS],
  ...[...SERVICE_FLAGS, ...WORKER_FLAGS, ...Object.values(GRANT_OPTIONS)],
  ...[IMPORT_FROM_OPTION, AUDIT_REMOVE_OPTION],
];
const rowOf = ({ name, short, value, help }: NamedOption): string => {
  const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  return plain(`| \`${flag}\` | ${help} |`);
};

it.each(ALL.map((flag) => [flag.name, flag] as const))(
  'the README has the same description of --%s as --help',
  (_, flag) => {
    expect(rows).toContain(rowOf(flag));
  },
);

it('the README describes only existing flags', () => {
  const described = [...README.matchAll(/^\| `(?:-\w, )?--([\w-]+)/gm)].map(([, name]) => name);
  expect(described).toEqual(ALL.map(({ name }) => name));
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
