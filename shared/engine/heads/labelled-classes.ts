import type { Labels } from '../../domain/manifest';
import type { ObjectClass } from '../../catalogue/classes';

/** A class of the network that maps to one of ours, with its minimum score. */
export interface WantedLabel {
  readonly label: number;
  readonly objectClass: ObjectClass;
  readonly min: number;
}

/** The classes of the network that map to wanted classes; the scores of others are not read. */
export const wantedLabels = (
  labels: Labels | undefined,
  minimum: Readonly<Partial<Record<ObjectClass, number>>>,
): readonly WantedLabel[] =>
  Object.entries(labels ?? {}).flatMap(([label, objectClass]) => {
    const min = objectClass && minimum[objectClass];
    return min === undefined ? [] : [{ label: Number(label), objectClass: objectClass!, min }];
  });

/**
 * The wanted class with the highest score in one prediction; undefined if none reaches its minimum score.
 *
 * @param scoreOf score by the network's class number
 */
export const bestLabel = (
  wanted: readonly WantedLabel[],
  scoreOf: (label: number) => number,
): { readonly objectClass: ObjectClass; readonly score: number } | undefined => {
  let best: { objectClass: ObjectClass; score: number } | undefined;
  for (const { label, objectClass, min } of wanted) {
    const score = scoreOf(label);
    if (score >= min && score > (best?.score ?? 0)) best = { objectClass, score };
  }
  return best;
};
