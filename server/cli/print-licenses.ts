import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In the order in which they are printed: what is whose, then the texts. */
const NOTICE_FILES = ['NOTICE.md', 'models/NOTICE.md', 'THIRD-PARTY-LICENSES.txt'] as const;

/**
 * Prints the notices that ship with the program, for `veil licenses`. Uses no network.
 *
 * @param packageRoot the folder that holds `dist` and `models`
 * @throws where a file is missing: a package without its notices must not be passed on
 */
export const printLicenses = async (packageRoot: string, write: (text: string) => void): Promise<void> => {
  for (const file of NOTICE_FILES) write(`${(await readFile(join(packageRoot, file), 'utf8')).trim()}\n\n`);
};
