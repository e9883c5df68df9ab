import { DATA_SETS, type DataSet, spread } from '../../../models/eval/data-sets';
import type { LabelledImage } from '../../../models/eval/labelled-image';

/** Sets on which detected faces are counted. */
export const FACE_SETS = [
  'crowds',
  'giant-crowds',
  'crowds-by-hand',
  'small-crowds',
  'without-persons',
] as const satisfies readonly (keyof typeof DATA_SETS)[];
export type FaceSet = (typeof FACE_SETS)[number];

/** @param limit number of photos of each set, spread over it */
export const readFaceSets = async (
  folder: string,
  limit: number,
): Promise<ReadonlyMap<FaceSet, readonly LabelledImage[]>> => {
  const sets = new Map<FaceSet, readonly LabelledImage[]>();
  for (const name of FACE_SETS) {
    const { read, compose }: DataSet = DATA_SETS[name];
    const photos = read(folder);
    sets.set(name, spread(compose ? await compose(photos) : photos, limit));
  }
  return sets;
};
