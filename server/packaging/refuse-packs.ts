import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Refuses to package installed packs of models: the built page would contain their names, and their licences are not in
 * the notices.
 *
 * @param folder folder of installed packs; it need not exist
 */
export const refusePacks = async (folder: string): Promise<void> => {
  const list = await readFile(join(folder, 'packs.json'), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '{"packs":[]}';
    throw error;
  });
  const { packs } = JSON.parse(list) as { readonly packs: readonly unknown[] };
  if (packs.length === 0) return;
  throw new Error(
    `${folder} contains model packs, which must not be packaged: remove them first (npm run models -- remove <name>).`,
  );
};
