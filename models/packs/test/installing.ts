import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Pack } from '#shared/engine/packs/packs';
import { readManifest } from '../../../server/adapters/model-files';
import { addPack } from '../add-pack';
import type { OnBytes } from '../download';
import { findPack } from '../find-pack';
import { readInstalled } from '../installed';
import { Refusal } from '../refusal';

/** Folder of the default models. */
export const MODELS = join(import.meta.dirname, '../..');

/** Creates a folder for each test, and returns functions that install packs there. */
export const installing = () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'veil-packs-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const pathOf = (name: string): string => join(folder, name);
  const target = (): string => pathOf('installed');
  const leftBehind = (): Promise<string[]> => readdir(target()).catch(() => []);
  return {
    pathOf,
    target,
    leftBehind,
    write: async (name: string, content: Uint8Array | object): Promise<string> => {
      await writeFile(pathOf(name), content instanceof Uint8Array ? content : JSON.stringify(content));
      return pathOf(name);
    },
    add: async (named: string, from?: string, onBytes?: OnBytes): Promise<Pack> => {
      const manifest = await readManifest(MODELS);
      return addPack(await findPack(named), {
        folder: target(),
        manifest,
        from,
        ...(onBytes && { onBytes }),
      });
    },
    expectRefusal: async (adding: Promise<unknown>, sentence: RegExp): Promise<void> => {
      const refusal: unknown = await adding.catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Refusal);
      expect((refusal as Refusal).message).toMatch(sentence);
      expect((refusal as Refusal).message).not.toContain('\n');
      expect(await readInstalled(target())).toEqual([]);
      expect((await leftBehind()).filter((name) => name.endsWith('.onnx'))).toEqual([]);
    },
  };
};
