import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyModel, WrongModelFile } from '#shared/engine/inference/verify';
import { system } from '../../server/adapters/system';
import { readInstalled } from './installed';
import { Refusal } from './refusal';
import { tryModel } from './try-model';

/** Result for one installed model; `problem` is undefined if there is none. */
export interface Checked {
  readonly pack: string;
  readonly model: string;
  readonly problem: string | undefined;
}

/** Reads, hashes and runs every installed model. */
export const checkPacks = async (folder: string): Promise<readonly Checked[]> => {
  const checked: Checked[] = [];
  for (const { id, models } of await readInstalled(folder)) {
    for (const model of models) {
      const file = join(folder, model.file);
      const problem = await readFile(file)
        .then(async (bytes) => {
          await verifyModel(model, bytes, system);
          await tryModel(model, file);
          return undefined;
        })
        .catch((error: unknown) => {
          if (error instanceof Refusal) return error.message;
          if (error instanceof WrongModelFile) {
            return `The file ${model.file} was changed: add the pack again.`;
          }
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
            return `The file ${model.file} is missing: add the pack again.`;
          }
          throw error;
        });
      checked.push({ pack: id, model: model.id, problem });
    }
  }
  return checked;
};
