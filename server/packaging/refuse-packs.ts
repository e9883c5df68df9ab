import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Refuses to package what others made: the built page names each installed pack of models, and their licences are not
 * in the notices.
 *
 * @param folder where packs are installed; it need not be there
 */
export const refusePacks = async (folder: string): Promise<void> => {
  const list = await readFile(join(folder, 'packs.json'), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '{"packs":[]}';
    throw error;
  });
  const { packs } = JSON.parse(list) as { readonly packs: readonly unknown[] };
  if (packs.length === 0) return;
  throw new Error(
    `${folder} holds packs of models, which do not belong into a package: remove them first (npm run models -- remove <name>).`,
  );
};
