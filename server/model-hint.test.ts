import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeInstalled } from '../models/packs/installed';
import { KNOWN_PACKS, RECOMMENDED_PACKS } from '../models/packs/known-packs';
import { modelHint } from './model-hint';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veil-hint-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('the start message names the recommended models in one line until one of them is installed', async () => {
  const hint =
    /^For better .* `veil models add recommended` \(57\.2 MB\); --no-model-hint hides this line\.\n$/;
  const hintWith = (packsFolder: string, hintsModels = true): Promise<string> =>
    modelHint({ packsFolder, hintsModels }, folder);
  expect(await hintWith(join(folder, 'missing'))).toMatch(hint);
  expect(await hintWith(folder, false)).toBe('');
  await writeInstalled(
    folder,
    KNOWN_PACKS.filter(({ id }) => id === 'yunet'),
  );
  expect(await hintWith(folder)).toMatch(hint);
  await writeInstalled(folder, RECOMMENDED_PACKS.slice(0, 1));
  expect(await hintWith(folder)).toBe('');
});
