import type { ReportedDetection } from '../../../domain/image-report';
import { namedClasses, OBJECT_CLASSES, perClass, type ObjectClass } from '../../../catalogue/classes';
import type { Report } from '../../contract/schemas-report';

type SomeCounts = Partial<Record<ObjectClass, number>>;
type Run = Report['frames']['counts'][number];

/** Counts of detections, frame by frame. */
export interface DetectionCounter {
  /** Adds the next frame. */
  add(detections: readonly ReportedDetection[]): void;
  end(): Pick<Report, 'counts'> & { readonly frames: Omit<Report['frames'], 'count'> };
}

const countsOf = (detections: readonly ReportedDetection[]): SomeCounts => {
  const counts: SomeCounts = {};
  for (const name of OBJECT_CLASSES) {
    const number = detections.filter(({ objectClass }) => objectClass === name).length;
    if (number > 0) counts[name] = number;
  }
  return counts;
};

const areEqual = (a: SomeCounts, b: SomeCounts): boolean =>
  OBJECT_CLASSES.every((name) => a[name] === b[name]);

const isEmpty = ({ detected }: Run): boolean => Object.keys(detected).length === 0;

/**
 * Starts to count. Memory grows with the number of runs, not with that of frames.
 *
 * @param selected classes that are counted even if none is detected, beside the default ones
 */
export const createDetectionCounter = (selected: readonly ObjectClass[] = []): DetectionCounter => {
  const runs: Run[] = [];
  const counts: Report['counts'] = perClass(() => ({ detected: 0, anonymised: 0 }), namedClasses(selected));
  let index = 0;
  return {
    add: (detections) => {
      const detected = countsOf(detections);
      const anonymised = countsOf(detections.filter(({ isAnonymised }) => isAnonymised));
      for (const name of OBJECT_CLASSES) {
        if (detected[name] === undefined) continue;
        const count = (counts[name] ??= { detected: 0, anonymised: 0 });
        count.detected += detected[name];
        count.anonymised += anonymised[name] ?? 0;
      }
      const last = runs.at(-1);
      if (last && areEqual(last.detected, detected) && areEqual(last.anonymised, anonymised)) {
        last.last = index;
      } else runs.push({ first: index, last: index, detected, anonymised });
      index += 1;
    },
    end: () => ({
      counts,
      frames: {
        counts: runs,
        without_detections: runs.filter(isEmpty).map(({ first, last }) => ({ first, last })),
      },
    }),
  };
};
