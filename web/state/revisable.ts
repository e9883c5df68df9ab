import { listObjects, type EditableObject } from '#shared/domain/edits/list-objects';
import type { NumberedDetection, PlanEdits, Revision } from '#shared/domain/edits/edits';
import type { ObjectClass } from '#shared/domain/object-class';
import type { EditHistory } from './edit-history';
import { MIN_THRESHOLD, sameEffort, sameSettings, type Settings } from './settings';

/** What a result was made with. */
export interface Recipe {
  readonly settings: Settings;
  readonly edits: PlanEdits;
}

/** What is known of a picture's objects, so that they can be hidden otherwise without being looked for again. */
export interface Revisable {
  /** All of them, sure or not. */
  readonly found: readonly NumberedDetection[];
  /** Classes that were looked for. */
  readonly searched: readonly ObjectClass[];
  /** What the result shows. */
  readonly made: Recipe;
  /** Memory did not suffice at first: it was searched piece by piece. */
  readonly sparedMemory?: boolean;
}

export const revisionOf = ({ settings, edits }: Recipe): Revision => ({ ...settings, edits });

/** A picture, as far as it matters to whether its result is as wanted. */
interface Revised {
  readonly id: string;
  readonly status: string;
  readonly settings: Settings | null;
  readonly edits: EditHistory;
  readonly result: { readonly revisable?: Revisable } | null;
}

/** What a picture is to show; undefined where it shows nothing that could be changed. */
const wantedRecipe = ({ status, settings, edits, result }: Revised): Recipe | undefined =>
  status === 'done' && result?.revisable && settings ? { settings, edits: edits.present } : undefined;

const sameEdits = (a: PlanEdits, b: PlanEdits): boolean =>
  // Those of an earlier visit are equal, not the same.
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** Whether the picture's result is not yet, or no longer, what is wanted: it must not be given to anybody. */
export const isOutdated = (picture: Revised): boolean => {
  const wanted = wantedRecipe(picture);
  const made = picture.result?.revisable?.made;
  return (
    wanted !== undefined &&
    made !== undefined &&
    !(sameSettings(wanted.settings, made.settings) && sameEdits(wanted.edits, made.edits))
  );
};

/** The picture in view, or else the first, whose result is to be made anew, and how. */
export const nextOutdated = <P extends Revised>(
  pictures: readonly P[],
  selectedId: string | null,
): { readonly picture: P; readonly recipe: Recipe } | undefined => {
  const outdated = pictures.filter(isOutdated);
  const picture = outdated.find(({ id }) => id === selectedId) ?? outdated[0];
  const recipe = picture && wantedRecipe(picture);
  return recipe && { picture, recipe };
};

/** Whether these settings need no new search in the picture. */
export const isRevisable = ({ status, result }: Revised, wanted: Settings): boolean => {
  const { classes, thresholds } = wanted;
  const { searched, made } = result?.revisable ?? {};
  return (
    status === 'done' &&
    searched !== undefined &&
    made !== undefined &&
    sameEffort(wanted, made.settings) &&
    classes.length > 0 &&
    classes.every((name) => searched.includes(name) && thresholds[name] >= MIN_THRESHOLD)
  );
};

/** What there is to select in a picture. */
export const objectsOf = (picture: Revised): readonly EditableObject[] => {
  const recipe = wantedRecipe(picture);
  const found = picture.result?.revisable?.found;
  return recipe && found ? listObjects(found, revisionOf(recipe)) : [];
};
