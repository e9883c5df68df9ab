import { OBJECT_CLASSES, type ObjectClass } from '#shared/domain/object-class';

/** Classes without any object are left out. */
export type ObjectCounts = Readonly<Partial<Record<ObjectClass, number>>>;

interface Find {
  readonly objectClass: ObjectClass;
  readonly trackId?: number;
}

/** Counts an object that is followed once, however many frames it is in; without tracking, each find. */
export interface Tally {
  add(detections: readonly Find[]): void;
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
    add: (detections) => {
      for (const { objectClass, trackId } of detections) {
        if (isNew(trackId)) counts.set(objectClass, (counts.get(objectClass) ?? 0) + 1);
      }
    },
    counts: () =>
      Object.fromEntries(
        OBJECT_CLASSES.filter((each) => counts.has(each)).map((each) => [each, counts.get(each)!]),
      ),
  };
};

export const countObjects = (detections: readonly Find[]): ObjectCounts => {
  const tally = createTally();
  tally.add(detections);
  return tally.counts();
};
