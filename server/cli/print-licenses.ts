import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files in the order in which they are printed: notices first, then texts of licences. */
const NOTICE_FILES = ['NOTICE.md', 'models/NOTICE.md', 'THIRD-PARTY-LICENSES.txt'] as const;

/**
 * Prints the notices that ship with the program, for `veil licenses`. Uses no network.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @throws Error if a file is missing: a package must not be distributed without its notices
 */
export const printLicenses = async (packageRoot: string, write: (text: string) => void): Promise<void> => {
  for (const file of NOTICE_FILES) write(`${(await readFile(join(packageRoot, file), 'utf8')).trim()}\n\n`);
};
