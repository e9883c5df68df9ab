import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '#shared/domain/manifest';
import {
  BadPack,
  installedModel,
  withInstalledPack,
  withPacks,
  type Pack,
  type PackModel,
} from '#shared/engine/packs/packs';
import { withInputOf } from '#shared/engine/packs/name-input';
import { replaceFile } from '../replace-files';
import { readAddress } from './address';
import { download, isWhole, verifyFile, type OnBytes } from './download';
import type { FoundPack } from './find-pack';
import { freeSize } from './free-size';
import { readInstalled, writeInstalled } from './installed';
import { Refusal, Unreachable } from './refusal';
import { tryModel } from './try-model';

export interface AddOptions {
  readonly folder: string;
  /** Manifest of the default models: no pack may use their names. */
  readonly manifest: Manifest;
  /** Local file of the only model of the pack, instead of a download. */
  readonly from?: string | undefined;
  readonly onBytes?: OnBytes;
}

/** Checks the names before anything is downloaded. */
const checkNames = (packs: readonly Pack[], manifest: Manifest): void => {
  try {
    withPacks(manifest, packs);
  } catch (cause) {
    if (cause instanceof BadPack) throw new Refusal(cause.message, { cause });
    throw cause;
  }
};

/** @throws {Refusal} without a network with the way around it */
const downloadModel = async (
  url: URL,
  target: string,
  model: PackModel,
  onBytes: OnBytes | undefined,
): Promise<void> => {
  try {
    await download(url, target, model, onBytes);
  } catch (cause) {
    if (!(cause instanceof Unreachable)) throw cause;
    const way = `load ${url.href} on another machine, and add the file: veil models add FILE`;
    throw new Refusal(`${cause.message} Without a network, ${way}.`, { cause });
  }
};

/** Writes a model's file to `target`, and checks its length and SHA-256. */
const fetchModel = async (
  model: PackModel,
  found: FoundPack,
  target: string,
  options: AddOptions,
): Promise<void> => {
  const inArchive = found.files.get(model.file);
  const installed = join(options.folder, installedModel(model).file);
  if (options.from !== undefined) {
    await copyFile(options.from, target, constants.COPYFILE_FICLONE).catch((cause: unknown) => {
      throw new Refusal(`The file ${options.from} cannot be read.`, { cause });
    });
    await verifyFile(target, model);
  } else if (inArchive) {
    await replaceFile(target, inArchive);
    await verifyFile(target, model);
  } else if (await isWhole(installed, model)) {
    await copyFile(installed, target, constants.COPYFILE_FICLONE);
  } else if (model.source.url !== undefined) {
    await downloadModel(readAddress(model.source.url, found.base), target, model, options.onBytes);
  } else {
    throw new Refusal(
      `The pack ${found.pack.id} has no address for ${model.file}: name the file with --from.`,
    );
  }
};

/** @returns the manifest entry of the installed file */
const prepare = async (described: PackModel, file: string): Promise<PackModel> => {
  const content = await readFile(file);
  const { isLengthUnknown: _now, ...source } = described.source;
  const model = withInputOf({ ...described, source, bytes: content.length }, content);
  if (!model.source.freesSize) return installedModel(model);
  const bytes = freeSize(content);
  await replaceFile(file, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return installedModel({ ...model, bytes: bytes.length, sha256 });
};

const removeUnlisted = async (folder: string, before: Pack | undefined, now: Pack): Promise<void> => {
  const kept = new Set(now.models.map(({ file }) => file));
  for (const { file } of before?.models ?? []) {
    if (!kept.has(file)) await rm(join(folder, file), { force: true });
  }
};

/**
 * Installs a pack: every model is fetched, checked, run, and only then listed. After a failure the packs that were
 * installed before stay as they were.
 *
 * @throws {Refusal}
 */
export const addPack = async (found: FoundPack, options: AddOptions): Promise<Pack> => {
  const { pack } = found;
  const { folder } = options;
  if (options.from !== undefined && pack.models.length > 1) {
    throw new Refusal('--from names one file, but this pack has several.');
  }
  const before = await readInstalled(folder);
  checkNames(withInstalledPack(before, pack), options.manifest);
  await mkdir(folder, { recursive: true });
  const waitingFile = (model: PackModel): string => join(folder, `${installedModel(model).file}.waiting`);
  const entries: PackModel[] = [];
  try {
    for (const model of pack.models) {
      await fetchModel(model, found, waitingFile(model), options);
      const entry = await prepare(model, waitingFile(model));
      await tryModel(entry, waitingFile(model));
      entries.push(entry);
    }
  } catch (error) {
    for (const model of pack.models) await rm(waitingFile(model), { force: true });
    throw error;
  }
  for (const [i, entry] of entries.entries()) {
    await rename(waitingFile(pack.models[i] as PackModel), join(folder, entry.file));
  }
  const installed = { ...pack, models: entries };
  await writeInstalled(folder, withInstalledPack(before, installed));
  await removeUnlisted(
    folder,
    before.find(({ id }) => id === pack.id),
    installed,
  );
  return installed;
};
