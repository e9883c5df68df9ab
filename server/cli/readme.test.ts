import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BATCH_FLAGS } from './batch-flags';
import { COMMON_FLAGS } from './common-flags';
import type { Flag } from './flag';
import { SERVER_FLAGS } from './server-flags';
import { PROBES } from '../http/serve-probes';

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
/** Removes the padding and the backslashes of a Markdown table. */
const plain = (text: string): string => text.replaceAll('\\', '').replaceAll(/ +/g, ' ');
const rows = plain(README).split('\n');

const ALL: readonly Flag[] = [...COMMON_FLAGS, ...SERVER_FLAGS, ...BATCH_FLAGS];
const rowOf = ({ name, short, value, help }: Flag): string => {
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

it.each(Object.values(PROBES))('the README describes %s', (path) => {
  expect(README).toContain(`| \`${path}\``);
});
