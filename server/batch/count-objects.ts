import { OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';

/** Number of objects by class. Classes without objects are left out. */
export type ObjectCounts = Readonly<Partial<Record<ObjectClass, number>>>;

interface CountedObject {
  readonly objectClass: ObjectClass;
  readonly trackId?: number;
}

/** Counts a tracked object once for all of its frames. Without tracking, each detection is counted. */
export interface Tally {
  add(objects: readonly CountedObject[]): void;
  counts(): ObjectCounts;
}

export const createTally = (): Tally => {
  const tracks = new Set<number>();
  const counts = new Map<ObjectClass, number>();
  const isNew = (trackId: number | undefined): boolean => {
    if (trackId === undefined) return true;
    return tracks.size < tracks.add(trackId).size;
  };
  return {
    add: (objects) => {
      for (const { objectClass, trackId } of objects) {
        if (isNew(trackId)) counts.set(objectClass, (counts.get(objectClass) ?? 0) + 1);
      }
    },
    counts: () =>
      Object.fromEntries(
        OBJECT_CLASSES.filter((each) => counts.has(each)).map((each) => [each, counts.get(each)!]),
      ),
  };
};

export const countObjects = (objects: readonly CountedObject[]): ObjectCounts => {
  const tally = createTally();
  tally.add(objects);
  return tally.counts();
};
