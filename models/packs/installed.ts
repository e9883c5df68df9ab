import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BadPack, parseInstalled, type Pack } from '#shared/engine/packs/packs';
import { replaceFile } from '../replace-files';
import { Refusal } from './refusal';

/** File name of the list of installed packs, in their folder. */
const LIST = 'packs.json';

/** @throws {Refusal} if the list is damaged */
export const readInstalled = async (folder: string): Promise<readonly Pack[]> => {
  const text = await readFile(join(folder, LIST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return [];
  try {
    return parseInstalled(JSON.parse(text));
  } catch (cause) {
    if (!(cause instanceof BadPack) && !(cause instanceof SyntaxError)) throw cause;
    throw new Refusal(`The list ${join(folder, LIST)} is damaged: remove it and add the packs again.`, {
      cause,
    });
  }
};

export const writeInstalled = (folder: string, packs: readonly Pack[]): Promise<void> =>
  replaceFile(join(folder, LIST), `${JSON.stringify({ packs }, undefined, 2)}\n`);

/** @throws {Refusal} if no such pack is installed */
export const removePack = async (folder: string, id: string): Promise<void> => {
  const packs = await readInstalled(folder);
  const pack = packs.find((each) => each.id === id);
  if (!pack) throw new Refusal(`The pack ${id} is not installed.`);
  // The list is written first, because a list with missing files would make every start fail.
  await writeInstalled(
    folder,
    packs.filter((each) => each !== pack),
  );
  for (const { file } of pack.models) await rm(join(folder, file), { force: true });
};
