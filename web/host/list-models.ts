import type { ModelEntry } from '#shared/catalogue/manifest';
import { fetchManifest } from '../adapters/model-files';

/** What people may want to know of a model. */
export type ModelFacts = Pick<ModelEntry, 'id' | 'classes' | 'bytes' | 'sha256' | 'licence'>;

/** The models that the page comes with. */
export const listModels = async (): Promise<readonly ModelFacts[]> =>
  (await fetchManifest(new URL('models/', document.baseURI).href)).models;
