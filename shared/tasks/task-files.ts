import type { ImageReport } from '../pipeline/image-report';
import type { RedactionPlan } from '../pipeline/plan';
import type { ImageFormat, ImageResult, MaskKind } from '../ports/engine';
import type { Storage } from '../ports/storage';
import { IMAGE_FORMATS } from './image-formats';

/** A done image task's result, without its pictures. */
export interface StoredResult {
  readonly report: ImageReport;
  readonly sourceFormat: ImageFormat;
  /** False with `detect`. */
  readonly anonymised: boolean;
  readonly masks: readonly MaskKind[];
}

const inputFolder = (id: string): string => `input/${id}/`;
const outputFolder = (id: string): string => `output/${id}/`;
const resultKey = (id: string): string => `${outputFolder(id)}result.json`;
const planKey = (id: string): string => `${outputFolder(id)}plan.json`;

/** Where an upload is kept. Its own file name never becomes a key: it is the client's, and may be hostile. */
export const sourceKey = (id: string, format: ImageFormat): string =>
  `${inputFolder(id)}source.${IMAGE_FORMATS[format].extension}`;
export const anonymisedKey = (id: string, format: ImageFormat): string =>
  `${outputFolder(id)}anonymised.${IMAGE_FORMATS[format].extension}`;
export const maskKey = (id: string, kind: MaskKind): string => `${outputFolder(id)}${kind}-mask.png`;

const readJson = async <T>(storage: Storage, key: string): Promise<T | undefined> => {
  const bytes = await storage.read(key);
  return bytes && (JSON.parse(new TextDecoder('utf-8').decode(bytes)) as T);
};
const writeJson = (storage: Storage, key: string, value: unknown): Promise<void> =>
  storage.write(key, new TextEncoder().encode(JSON.stringify(value)));

export const readStoredResult = (storage: Storage, id: string): Promise<StoredResult | undefined> =>
  readJson(storage, resultKey(id));
export const readPlan = (storage: Storage, id: string): Promise<RedactionPlan | undefined> =>
  readJson(storage, planKey(id));

export const removeTaskFiles = async (storage: Storage, id: string): Promise<void> => {
  await storage.remove(inputFolder(id));
  await storage.remove(outputFolder(id));
};

/** Writes everything that a result can be asked for; `result.json` last, so that it stands for all the others. */
export const writeResult = async (storage: Storage, id: string, result: ImageResult): Promise<void> => {
  const { sourceFormat, anonymised, masks, report, plan } = result;
  const kinds = (['binary', 'instance'] as const).filter((kind) => masks[kind]);
  if (anonymised) await storage.write(anonymisedKey(id, sourceFormat), anonymised);
  for (const kind of kinds) await storage.write(maskKey(id, kind), masks[kind]!);
  await writeJson(storage, planKey(id), plan);
  const stored: StoredResult = { report, sourceFormat, anonymised: anonymised !== null, masks: kinds };
  await writeJson(storage, resultKey(id), stored);
};
