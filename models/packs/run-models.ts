import type { Pack } from '#shared/engine/packs/packs';
import { readManifest } from '../../server/adapters/model-files';
import { addPack } from './add-pack';
import { checkPacks } from './check-packs';
import { findPacks } from './find-pack';
import { readInstalled, removePack } from './installed';
import { KNOWN_PACKS, RECOMMENDED, RECOMMENDED_PACKS, sizeOf } from './known-packs';
import { Refusal } from './refusal';

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
const UNTESTED =
  'Not run by us: these are the facts of its publisher. It is run on this machine before it is used.';
const MEGABYTE = 1e6;

const describe = (pack: Pack, state: string): string => {
  const classes = [...new Set(pack.models.flatMap((model) => model.classes))].join(', ');
  const licences = [...new Set(pack.models.map(({ licence }) => licence))].join('; ');
  const presets = pack.presets ? `; for quality ${pack.presets.join(' and ')}` : '';
  return [
    `${pack.id}${state}`,
    `  ${pack.description}`,
    `  ${classes}; ${sizeOf([pack])}; licence: ${licences}${presets}`,
    ...pack.models.flatMap(({ source: { url } }) => (url === undefined ? [] : [`  from ${url}`])),
    ...(pack.isUntested ? [`  ${UNTESTED}`] : []),
  ].join('\n');
};

const namesOf = (packs: readonly Pack[]): string => packs.map(({ id }) => id).join(' and ');

const list = async (folder: string): Promise<void> => {
  const installed = await readInstalled(folder);
  const isInstalled = (pack: Pack): boolean => installed.some(({ id }) => id === pack.id);
  console.log(`${RECOMMENDED}: ${namesOf(RECOMMENDED_PACKS)} together, ${sizeOf(RECOMMENDED_PACKS)}`);
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
  const found = await findPacks(named);
  if (from !== undefined && found.length > 1) {
    throw new Refusal(`--from names one file, but ${named} are several packs.`);
  }
  // Before anything is downloaded.
  for (const { pack } of found) console.log(describe(pack, ''));
  if (found.length > 1) console.log(`${sizeOf(found.map(({ pack }) => pack))} together`);
  for (const one of found) {
    const pack = await addPack(one, { folder, manifest, from, onBytes: showProgress });
    if (process.stderr.isTTY) process.stderr.write('\r');
    console.log(`${pack.id} is installed.`);
  }
  console.log(AFTER_A_CHANGE);
};

const remove = async (folder: string, named: string): Promise<void> => {
  const isNamed = ({ id }: Pack): boolean => RECOMMENDED_PACKS.some((pack) => pack.id === id);
  const ids =
    named === RECOMMENDED ? (await readInstalled(folder)).filter(isNamed).map(({ id }) => id) : [named];
  if (ids.length === 0) throw new Refusal('None of the recommended packs is installed.');
  for (const id of ids) {
    await removePack(folder, id);
    console.log(`${id} is removed.`);
  }
  console.log(AFTER_A_CHANGE);
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
 * Lists, installs, removes or checks models that users install next to the default set.
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
      await remove(folder, task.pack);
      return true;
  }
};
