import { listObjects, type EditableObject } from '#shared/domain/edits/list-objects';
import type { NumberedDetection, PlanEdits, EditRequest } from '#shared/domain/edits/edits';
import type { ObjectClass } from '#shared/domain/object-class';
import type { EditHistory } from './edit-history';
import { MIN_THRESHOLD, sameEffort, sameSettings, type Settings } from './settings';

/** What a result was made with. */
export interface WantedEdits {
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
  readonly made: WantedEdits;
  /** Memory did not suffice at first: it was searched piece by piece. */
  readonly sparedMemory?: boolean;
}

export const editRequestOf = ({ settings, edits }: WantedEdits): EditRequest => ({ ...settings, edits });

/** A picture, as far as it matters to whether its result is as wanted. */
interface EditedItem {
  readonly id: string;
  readonly status: string;
  readonly settings: Settings | null;
  readonly edits: EditHistory;
  readonly result: { readonly revisable?: Revisable } | null;
}

/** What a picture is to show; undefined where it shows nothing that could be changed. */
const wantedEdits = ({ status, settings, edits, result }: EditedItem): WantedEdits | undefined =>
  status === 'done' && result?.revisable && settings ? { settings, edits: edits.present } : undefined;

const sameEdits = (a: PlanEdits, b: PlanEdits): boolean =>
  // Those of an earlier visit are equal, not the same.
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** Whether the picture's result is not yet, or no longer, what is wanted: it must not be given to anybody. */
export const isOutdated = (picture: EditedItem): boolean => {
  const wanted = wantedEdits(picture);
  const made = picture.result?.revisable?.made;
  return (
    wanted !== undefined &&
    made !== undefined &&
    !(sameSettings(wanted.settings, made.settings) && sameEdits(wanted.edits, made.edits))
  );
};

/** The picture in view, or else the first, whose result is to be made anew, and how. */
export const nextOutdated = <P extends EditedItem>(
  pictures: readonly P[],
  selectedId: string | null,
): { readonly picture: P; readonly wanted: WantedEdits } | undefined => {
  const outdated = pictures.filter(isOutdated);
  const picture = outdated.find(({ id }) => id === selectedId) ?? outdated[0];
  const wanted = picture && wantedEdits(picture);
  return wanted && { picture, wanted };
};

/** Whether these settings need no new search in the picture. */
export const isRevisable = ({ status, result }: EditedItem, wanted: Settings): boolean => {
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
export const objectsOf = (picture: EditedItem): readonly EditableObject[] => {
  const wanted = wantedEdits(picture);
  const found = picture.result?.revisable?.found;
  return wanted && found ? listObjects(found, editRequestOf(wanted)) : [];
};
