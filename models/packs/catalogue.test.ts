import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parsePack } from '#shared/engine/packs/packs';
import { KNOWN_PACKS } from './find-pack';

it('every known pack has an https address and a licence', async () => {
  const catalogue = JSON.parse(await readFile(join(import.meta.dirname, 'catalogue.json'), 'utf8')) as {
    packs: unknown[];
  };
  expect(catalogue.packs.map(parsePack)).toEqual(KNOWN_PACKS);
  for (const { models } of KNOWN_PACKS) {
    for (const { source } of models) expect(source.url).toMatch(/^https:/);
  }
});
