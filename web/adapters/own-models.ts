import {
  installedModel,
  parseInstalled,
  withInstalledPack,
  type Pack,
  withPacks,
} from '#shared/engine/packs/packs';
import type { Log } from '#shared/ports/system';
import { type DiskFolder, createOwnFolder, openOwnFolder, removeOwnFolder } from './disk-folder';
import type { Manifest, ModelEntry } from '#shared/domain/manifest';
import { verifyModel } from '#shared/engine/inference/verify';
import type { ModelFiles } from '#shared/ports/inference';
import { system } from './system';

/** Models that the user added to this page. They stay until the user removes them. */
export interface OwnModels {
  /** All packs, the newest first. @see withInstalledPack */
  list(): Promise<readonly Pack[]>;
  /** Reads a model file. @throws if the file no longer exists */
  read(file: string): Promise<Uint8Array>;
  /**
   * Adds a pack or replaces the pack of the same name. @param files model files, by the names in the pack's description
   */
  keep(pack: Pack, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  remove(packId: string): Promise<void>;
  clear(): Promise<void>;
}

/** Name of the list of packs, in the same format as `veil models` writes. */
const LIST = 'packs.json';
/** Name of the lock: only one tab changes the list at a time. */
const LOCK = 'own-models';

const readList = async (folder: DiskFolder, log: Log): Promise<readonly Pack[]> => {
  const file = await folder.file(LIST);
  if (!file) return [];
  try {
    return parseInstalled(JSON.parse(await file.text()));
  } catch (cause) {
    log.error('The list of added models is damaged; none of them is used', cause);
    return [];
  }
};

const writeList = async (folder: DiskFolder, packs: readonly Pack[]): Promise<void> => {
  await folder.write(LIST, new Blob([JSON.stringify({ packs })]));
  const listed = new Set(packs.flatMap(({ models }) => models.map(({ file }) => file)));
  for (const name of await folder.names()) {
    if (name !== LIST && !listed.has(name)) await folder.remove(name);
  }
};

const locked = (work: () => Promise<void>): Promise<void> => navigator.locks.request(LOCK, work);

export const createOwnModels = (log: Log): OwnModels => {
  const list = async (): Promise<readonly Pack[]> => {
    const folder = await openOwnFolder();
    return folder ? readList(folder, log) : [];
  };
  return {
    list,
    read: async (name) => {
      const file = await (await openOwnFolder())?.file(name);
      if (!file) throw new Error(`The added model ${name} is gone`);
      return new Uint8Array(await file.arrayBuffer());
    },
    keep: (pack, files) =>
      locked(async () => {
        const folder = await createOwnFolder();
        const models = pack.models.map(installedModel);
        for (const [i, { file }] of models.entries()) {
          const bytes = files.get(pack.models[i]?.file ?? '');
          if (!bytes) throw new Error(`The pack ${pack.id} lacks a file`);
          await folder.write(file, new Blob([bytes as Uint8Array<ArrayBuffer>]));
        }
        const installed = await readList(folder, log);
        // Written last, so that the list never names missing files.
        await writeList(folder, withInstalledPack(installed, { ...pack, models }));
      }),
    remove: (packId) =>
      locked(async () => {
        const folder = await openOwnFolder();
        if (!folder) return;
        const others = (await readList(folder, log)).filter(({ id }) => id !== packId);
        await writeList(folder, others);
      }),
    clear: () => locked(removeOwnFolder),
  };
};

/** The default models, preceded by the models that the user added. */
export interface UsedModels {
  readonly manifest: Manifest;
  readonly modelFiles: ModelFiles;
  /** Names of the user's packs that are in use. */
  readonly ownPacks: readonly string[];
  /** Names of the user's packs that are not in use because they are damaged or do not load. */
  readonly leftOut: readonly string[];
}

const isOwn = (packs: readonly Pack[], name: string): boolean =>
  packs.some(({ models }) => models.some(({ file }) => file === name));

/**
 * Adds the user's models to the default models.
 *
 * A model that was changed on disk is not loaded; the default model of its classes is used instead.
 *
 * @param isAllLeftOut whether to ignore all added models because the worker ended while it loaded them
 */
export const withOwnModels = async (
  defaults: { readonly manifest: Manifest; readonly modelFiles: ModelFiles },
  log: Log,
  isAllLeftOut = false,
): Promise<UsedModels> => {
  const own = createOwnModels(log);
  const isWhole = async (model: ModelEntry): Promise<void> =>
    verifyModel(model, await own.read(model.file), system);
  const packs: Pack[] = [];
  const leftOut: string[] = [];
  for (const pack of await own.list()) {
    try {
      if (isAllLeftOut) throw new Error('loading failed with this pack');
      withPacks(defaults.manifest, [...packs, pack]);
      for (const model of pack.models) await isWhole(model);
      packs.push(pack);
    } catch (cause) {
      log.error(`The added pack ${pack.id} is not used`, cause);
      leftOut.push(pack.id);
    }
  }
  return {
    manifest: withPacks(defaults.manifest, packs),
    modelFiles: {
      read: (file, onProgress) =>
        isOwn(packs, file) ? own.read(file) : defaults.modelFiles.read(file, onProgress),
    },
    ownPacks: packs.map(({ id }) => id),
    leftOut,
  };
};
