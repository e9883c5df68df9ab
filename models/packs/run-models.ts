import type { Pack } from '#shared/engine/packs/packs';
import { readManifest } from '../../server/adapters/model-files';
import { addPack } from './add-pack';
import { checkPacks } from './check-packs';
import { findPack, KNOWN_PACKS } from './find-pack';
import { readInstalled, removePack } from './installed';

/** Command of `veil models`. */
export type ModelsTask =
  | { readonly action: 'list' | 'check' }
  | { readonly action: 'add'; readonly pack: string; readonly from: string | undefined }
  | { readonly action: 'remove'; readonly pack: string };

export interface ModelsFolders {
  /** Where packs are installed. */
  readonly folder: string;
  /** Where the default models and their manifest lie. */
  readonly modelsFolder: string;
}

const AFTER_A_CHANGE = 'The change takes effect when the server or the page is started again.';
const MEGABYTE = 1e6;

const sizeOf = ({ models }: Pack): string =>
  `${(models.reduce((sum, { bytes }) => sum + bytes, 0) / MEGABYTE).toFixed(1)} MB`;

const describe = (pack: Pack, state: string): string => {
  const classes = [...new Set(pack.models.flatMap((model) => model.classes))].join(', ');
  const licences = [...new Set(pack.models.map(({ licence }) => licence))].join('; ');
  return `${pack.id}${state}\n  ${pack.description}\n  ${classes}; ${sizeOf(pack)}; licence: ${licences}`;
};

const list = async (folder: string): Promise<void> => {
  const installed = await readInstalled(folder);
  const isInstalled = (pack: Pack): boolean => installed.some(({ id }) => id === pack.id);
  for (const pack of installed) console.log(describe(pack, ' (installed)'));
  for (const pack of KNOWN_PACKS.filter((known) => !isInstalled(known))) console.log(describe(pack, ''));
};

/** Shows progress on one line, on terminals only. */
const showProgress = (received: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${(received / MEGABYTE).toFixed(1)} MB`);
};

const add = async (
  { folder, modelsFolder }: ModelsFolders,
  named: string,
  from: string | undefined,
): Promise<void> => {
  const manifest = await readManifest(modelsFolder);
  const pack = await addPack(await findPack(named), { folder, manifest, from, onBytes: showProgress });
  if (process.stderr.isTTY) process.stderr.write('\r');
  console.log(`${describe(pack, ' is installed.')}\n${AFTER_A_CHANGE}`);
};

/** @returns whether no problem was found */
const check = async (folder: string): Promise<boolean> => {
  const checked = await checkPacks(folder);
  if (checked.length === 0) console.log('No packs are installed.');
  for (const { pack, model, problem } of checked) {
    console.log(`${pack}, ${model}: ${problem ?? 'no problem found'}`);
  }
  return checked.every(({ problem }) => problem === undefined);
};

/**
 * Lists, installs, removes or checks models that users install beside the default set.
 *
 * @returns false if a check has found a problem
 * @throws Refusal
 */
export const runModels = async (task: ModelsTask, folders: ModelsFolders): Promise<boolean> => {
  const { folder } = folders;
  switch (task.action) {
    case 'list':
      await list(folder);
      return true;
    case 'check':
      return check(folder);
    case 'add':
      await add(folders, task.pack, task.from);
      return true;
    case 'remove':
      await removePack(folder, task.pack);
      console.log(`${task.pack} is removed. ${AFTER_A_CHANGE}`);
      return true;
  }
};
