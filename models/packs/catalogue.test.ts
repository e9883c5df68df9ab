import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parsePack } from '#shared/engine/packs/packs';
import { QUALITY_PRESETS } from '#shared/domain/options';
import { KNOWN_PACKS, RECOMMENDED_PACKS } from './known-packs';

it('every known pack has an https address and a licence', async () => {
  const catalogue = JSON.parse(await readFile(join(import.meta.dirname, 'catalogue.json'), 'utf8')) as {
    packs: unknown[];
  };
  expect(catalogue.packs.map(parsePack)).toEqual(KNOWN_PACKS);
  for (const { models } of KNOWN_PACKS) {
    for (const { source } of models) expect(source.url).toMatch(/^https:/);
  }
});

it('the recommended packs serve each quality preset once', () => {
  expect(RECOMMENDED_PACKS.flatMap(({ presets }) => presets).sort()).toEqual([...QUALITY_PRESETS].sort());
});

it('a pack says that nobody has run its files, unless a test runs them', () => {
  const tested = KNOWN_PACKS.filter(({ isUntested }) => !isUntested).map(({ id }) => id);
  expect(tested).toEqual(['yunet']);
});
