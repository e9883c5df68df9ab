import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../server/testing/temporary-folder';
import { replaceFiles } from './replace-files';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'a.onnx'), 'old');
  writeFileSync(join(folder, 'manifest.json'), 'old');
});

const contents = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
const NEW = [
  ['a.onnx', 'new'],
  ['manifest.json', 'new'],
] as const;
const replace = (files: readonly (readonly [string, string])[]): Promise<void> =>
  replaceFiles(new Map(files.map(([name, content]) => [join(folder, name), content])));

describe('files that are replaced together', () => {
  it('have their new content, and nothing is left next to them', async () => {
    await replace(NEW);
    expect(contents()).toEqual({ 'a.onnx': 'new', 'manifest.json': 'new' });
  });

  it('stay unchanged if one of them cannot be written', async () => {
    await expect(replace([...NEW, ['no-folder/b.onnx', 'new']])).rejects.toThrow('ENOENT');
    expect(contents()).toEqual({ 'a.onnx': 'old', 'manifest.json': 'old' });
  });

  it('are all old or all new at any time', async () => {
    const seen = new Set<string>();
    const recordContents = (): void => {
      const { 'a.onnx': model, 'manifest.json': manifest } = contents();
      seen.add(`${model} ${manifest}`);
    };
    const replaced = replace(NEW);
    let isDone = false;
    void replaced.then(() => (isDone = true));
    while (!isDone) {
      recordContents();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([...seen].filter((state) => state !== 'old old' && state !== 'new new')).toEqual([]);
  });
});
