import type { Labels } from '../../domain/manifest';
import type { ObjectClass } from '../../domain/object-class';

/** A class of the network that stands for one of ours, and the score that it has to reach. */
export interface WantedLabel {
  readonly label: number;
  readonly objectClass: ObjectClass;
  readonly min: number;
}

/** The network's classes that are wanted; no others are looked at. */
export const wantedLabels = (
  labels: Labels | undefined,
  minimum: Readonly<Partial<Record<ObjectClass, number>>>,
): readonly WantedLabel[] =>
  Object.entries(labels ?? {}).flatMap(([label, objectClass]) => {
    const min = objectClass && minimum[objectClass];
    return min === undefined ? [] : [{ label: Number(label), objectClass: objectClass!, min }];
  });

/**
 * The surest of the wanted classes of one prediction, or undefined where none reaches its least score.
 *
 * @param scoreOf by the network's class number
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
