import { join } from 'node:path';
import { readInstalled } from '../models/packs/installed';
import { RECOMMENDED, RECOMMENDED_PACKS, sizeOf } from '../models/packs/known-packs';
import type { Config } from './cli/config';
import { packsFolderOf } from './open-engine';

/**
 * One line about the recommended models for the start message; empty if one of them is installed, or with
 * `--no-model-hint`.
 *
 * @param packageRoot the folder that contains `models`
 */
export const modelHint = async (
  { hintsModels, packsFolder }: Pick<Config, 'hintsModels' | 'packsFolder'>,
  packageRoot: string,
): Promise<string> => {
  if (!hintsModels) return '';
  const installed = await readInstalled(packsFolderOf(packsFolder, join(packageRoot, 'models')));
  if (RECOMMENDED_PACKS.some(({ id }) => installed.some((pack) => pack.id === id))) return '';
  const command = `\`veil models add ${RECOMMENDED}\` (${sizeOf(RECOMMENDED_PACKS)})`;
  return `For better detection of persons and vehicles, run ${command}; --no-model-hint hides this line.\n`;
};
