import type { ImageHeader, AppliedEdits, FileFacts, Provenance } from '../../domain/image-header';
import { FORMATS, type Format } from '../../catalogue/formats';
import type { ImageReport, RedactionPlan } from '../../domain/plan';
import { CANDIDATE_FLOOR } from '../../domain/options';
import { VERSION } from '../../domain/version';
import type { ImageFormat, ImageResult, MaskKind } from '../../ports/engine';
import type { System } from '../../ports/system';
import type { Storage, TaskStore } from '../../ports/storage';
import { factsOfBytes, tagOfFile } from '../base/digest';

/** What writing a result takes: files, and the digests that name their bytes. */
export interface StoragePorts {
  readonly storage: Storage;
  readonly system: Pick<System, 'sha256' | 'startSha256'>;
}

/** Names the bytes of each file of a result that is stored. */
export type ResultTags = { readonly [K in 'anonymised' | MaskKind]?: string };

/** A done image task's result, without its images. */
export interface StoredResult {
  readonly report: ImageReport;
  /** Of the upload. */
  readonly header: ImageHeader;
  /** Of the anonymised file. */
  readonly format: ImageFormat;
  /** False with `detect`. */
  readonly anonymised: boolean;
  readonly masks: readonly MaskKind[];
  /** Of the bytes of its files. */
  readonly tags: ResultTags;
  /** Of the anonymised file; absent where there is none. */
  readonly file?: FileFacts;
  /** Of the first run. */
  readonly provenance: Provenance;
  /** How often it was replaced since its task was done; absent where it never was. */
  readonly revision?: number;
  /** When it was replaced. */
  readonly appliedEdits?: readonly AppliedEdits[];
  /** It was searched piece by piece, because memory did not suffice. */
  readonly sparedMemory?: boolean;
  /** Whether some fields of the metadata of the upload are in it; absent: as the service is configured. */
  readonly keepMetadata?: boolean;
  /** Lowest score of stored candidates. */
  readonly candidateFloor: number;
  /** What the names of its files begin with; absent until the result is edited. */
  readonly filePrefix?: string;
}

export const inputFolder = (id: string): string => `input/${id}/`;
export const outputFolder = (id: string): string => `output/${id}/`;
/** Written last: its folder contains a complete result of an image. */
export const RESULT_FILE = 'result.json';
const resultKey = (id: string): string => outputFolder(id) + RESULT_FILE;
const planKey = (id: string, prefix = ''): string => `${outputFolder(id)}${prefix}plan.json`;
/** The plan before a person changed anything about it, where that is not the plan without a prefix. */
export const FIRST_PLAN_FILE = 'first-plan.json';
const firstPlanKey = (id: string): string => outputFolder(id) + FIRST_PLAN_FILE;

/** Where an upload is kept. Its own file name never becomes a key: it is the client's, and may be hostile. */
export const sourceKey = (id: string, format: Format): string =>
  `${inputFolder(id)}source.${FORMATS[format].extensions[0]}`;
/** Where the detections that came with an upload are kept. */
export const givenKey = (id: string): string => `${inputFolder(id)}detections`;
export const anonymisedKey = (id: string, format: ImageFormat, prefix = ''): string =>
  `${outputFolder(id)}${prefix}anonymised.${FORMATS[format].extensions[0]}`;
export const maskKey = (id: string, kind: MaskKind, prefix = ''): string =>
  `${outputFolder(id)}${prefix}${kind}-mask.png`;

export const readJson = async <T>(storage: Storage, key: string): Promise<T | undefined> => {
  const bytes = await storage.read(key);
  return bytes && (JSON.parse(new TextDecoder('utf-8').decode(bytes)) as T);
};
export const writeJson = (storage: Storage, key: string, value: unknown): Promise<void> =>
  storage.write(key, new TextEncoder().encode(JSON.stringify(value)));

export const readStoredResult = (storage: Storage, id: string): Promise<StoredResult | undefined> =>
  readJson(storage, resultKey(id));
/** @param prefix of the result: `StoredResult.filePrefix` */
export const readPlan = (
  storage: Storage,
  id: string,
  prefix: string | undefined,
): Promise<RedactionPlan | undefined> => readJson(storage, planKey(id, prefix));

/** What detectors and settings gave, whatever was made of it since. */
export const readFirstPlan = async (storage: Storage, id: string): Promise<RedactionPlan | undefined> =>
  (await readJson<RedactionPlan>(storage, firstPlanKey(id))) ?? readPlan(storage, id, undefined);

/** Stores the outlines that were made of candidates, so that they are made once. */
export const writeFirstPlan = (storage: Storage, id: string, plan: RedactionPlan): Promise<void> =>
  writeJson(storage, firstPlanKey(id), plan);

/**
 * The names of the next result's files begin with it: the files of the result before stay until the record of the next
 * one is written, so that a crash leaves either the one or the other.
 */
export const nextPrefix = ({ revision = 0 }: { readonly revision?: number }): string =>
  `edit-${revision + 1}-`;

export const removeTaskFiles = async (storage: Storage, id: string): Promise<void> => {
  await Promise.all([storage.remove(inputFolder(id)), storage.remove(outputFolder(id))]);
};
/** What a run that was cut off has written so far. */
export const removeResult = (storage: Storage, id: string): Promise<void> => storage.remove(outputFolder(id));

/**
 * Changes a task's record so that it keeps no files, and removes them.
 *
 * After a crash at any point, the next start finds the files in doubt and completes the deletion. Where the
 * record cannot be changed because the disk is full, the files go all the same, and it is tried again with the room
 * that this makes.
 *
 * @param change may be called twice
 * @param staysInDoubt something may still write files: who ends that removes them again
 */
export const removeFilesAfter = async (
  change: () => Promise<void>,
  id: string,
  {
    storage,
    taskStore,
  }: { readonly storage: Storage; readonly taskStore: Pick<TaskStore, 'setFilesInDoubt'> },
  staysInDoubt = false,
): Promise<void> => {
  // Both at once, in this order: one flush serves both.
  const note = (): Promise<unknown> => Promise.all([taskStore.setFilesInDoubt(id, true), change()]);
  const isNoted = await note().then(
    () => true,
    () => false,
  );
  await removeTaskFiles(storage, id);
  if (!isNoted) await note();
  if (!staysInDoubt) await taskStore.setFilesInDoubt(id, false);
};

/** All at once: each waits for the disk. Where one fails the others have ended, too, and nothing is written any more. */
const allWritten = async (writes: readonly Promise<void>[]): Promise<void> => {
  for (const written of await Promise.allSettled(writes)) {
    if (written.status === 'rejected') throw written.reason;
  }
};

type NamedFile = readonly ['anonymised' | MaskKind, Uint8Array];

const imageOf = (anonymised: Uint8Array | null): NamedFile[] =>
  anonymised ? [['anonymised', anonymised]] : [];

/** Names the bytes of all files of a result, and describes the anonymised one. */
const describeFiles = async (
  files: readonly NamedFile[],
  system: StoragePorts['system'],
): Promise<Pick<StoredResult, 'tags' | 'file'>> => {
  const described = await Promise.all(
    files.map(async ([name, bytes]) => [name, await factsOfBytes(bytes, system)] as const),
  );
  const file = described.find(([name]) => name === 'anonymised')?.[1];
  const tags: ResultTags = Object.fromEntries(described.map(([name, facts]) => [name, tagOfFile(facts)]));
  return { tags, ...(file && { file }) };
};

/** What the upload was, and what can be asked for of its result. */
interface DescribedSource {
  readonly header: ImageHeader;
  readonly facts: FileFacts;
  readonly masks: readonly MaskKind[];
  readonly keepMetadata: boolean;
}

/**
 * Writes everything that a result can be asked for; `result.json` last, so that it stands for all the others.
 *
 * @param masks kinds that can be asked for; those without a file are rendered from the plan
 */
export const writeResult = async (
  { storage, system }: StoragePorts,
  id: string,
  result: ImageResult,
  { header, facts, masks: kinds, keepMetadata }: DescribedSource,
): Promise<void> => {
  const { format, anonymised, masks, report, plan, sparedMemory } = result;
  const { models } = result;
  const written = kinds.flatMap((kind) => (masks[kind] ? [[kind, masks[kind]] as const] : []));
  await allWritten([
    writeJson(storage, planKey(id), plan),
    ...(anonymised ? [storage.write(anonymisedKey(id, format), anonymised)] : []),
    ...written.map(([kind, file]) => storage.write(maskKey(id, kind), file)),
  ]);
  const stored: StoredResult = {
    report,
    header,
    format,
    anonymised: anonymised !== null,
    masks: kinds,
    ...(await describeFiles([...imageOf(anonymised), ...written], system)),
    ...(sparedMemory && { sparedMemory }),
    keepMetadata,
    candidateFloor: CANDIDATE_FLOOR,
    provenance: { version: VERSION, source: facts, models, sourceMetadata: header.metadata },
  };
  await writeJson(storage, resultKey(id), stored);
};

/** Writes a result without its image: it was kept elsewhere. */
export const restoreResult = async (
  storage: Storage,
  id: string,
  stored: StoredResult,
  plan: RedactionPlan,
): Promise<void> => {
  await writeJson(storage, planKey(id), plan);
  await writeJson(storage, resultKey(id), stored);
};

/** A result that takes the place of another: without files of masks, which are rendered from the plan. */
export interface EditedResult {
  readonly stored: StoredResult;
  /** Null where nothing is hidden. */
  readonly anonymised: Uint8Array | null;
  readonly plan: RedactionPlan;
}

/** Removes the files of a result that was replaced; the first plan stays. */
const removeReplaced = async (storage: Storage, id: string, before: StoredResult): Promise<void> => {
  const { filePrefix, masks } = before;
  if (filePrefix) return storage.remove(outputFolder(id) + filePrefix);
  const keys = [anonymisedKey(id, before.format), ...masks.map((kind) => maskKey(id, kind))];
  await Promise.all(keys.map((key) => storage.remove(key)));
};

/** Replaces the result of a task by an edited one, as a whole: readers find either the old or the new one. */
export const replaceResult = async (
  { storage, system }: StoragePorts,
  id: string,
  before: StoredResult,
  { stored, anonymised, plan }: EditedResult,
): Promise<void> => {
  const { filePrefix } = stored;
  await allWritten([
    writeJson(storage, planKey(id, filePrefix), plan),
    ...(anonymised ? [storage.write(anonymisedKey(id, stored.format, filePrefix), anonymised)] : []),
  ]);
  const { file: _before, ...rest } = stored;
  const described = await describeFiles(imageOf(anonymised), system);
  await writeJson(storage, resultKey(id), { ...rest, ...described });
  await removeReplaced(storage, id, before);
};
