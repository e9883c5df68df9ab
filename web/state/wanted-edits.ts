import { listObjects, type EditableObject } from '#shared/domain/edits/list-objects';
import type { NumberedDetection } from '#shared/domain/edits/edits';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { EditHistory, ItemEdits } from './edit-history';
import { CANDIDATE_FLOOR, thresholdIn } from '#shared/domain/options';
import { isSameState } from './history';
import { isProbablySphere, type Projection } from '#shared/domain/projection';
import type { Size } from '#shared/domain/raster';
import { hasSameSearch, hasSameSphereGuess, hasSameSettings, type Settings } from './settings';

/** Settings and edits of a result. */
export interface WantedEdits {
  readonly settings: Settings;
  readonly edits: ItemEdits;
}

/** Detections of an image, so that other methods and thresholds need no new run. */
export interface EditableResult {
  /** All detections, also those below the threshold. */
  readonly found: readonly NumberedDetection[];
  /** Classes that the run searched for. */
  readonly searched: readonly ObjectClass[];
  /** Settings and edits that the result shows. */
  readonly appliedEdits: WantedEdits;
  /** Whether memory ran out at first, so that the image was processed in parts. */
  readonly sparedMemory?: boolean;
}

/** The parts of an item that decide whether its result matches the edits. */
interface EditedItem {
  readonly id: string;
  readonly status: string;
  readonly settings: Settings | null;
  readonly edits: EditHistory;
  readonly result: (Size & { readonly editable?: EditableResult; readonly projection?: Projection }) | null;
}

/** Settings and edits that an image should show; undefined if it has no editable result. */
const wantedEdits = ({ status, settings, edits, result }: EditedItem): WantedEdits | undefined =>
  status === 'done' && result?.editable && settings ? { settings, edits: edits.present } : undefined;

/** Whether the result does not match the settings and edits: it must not be saved. */
export const isOutdated = (item: EditedItem): boolean => {
  const wanted = wantedEdits(item);
  const appliedEdits = item.result?.editable?.appliedEdits;
  return (
    wanted !== undefined &&
    appliedEdits !== undefined &&
    !(
      hasSameSettings(wanted.settings, appliedEdits.settings) && isSameState(wanted.edits, appliedEdits.edits)
    )
  );
};

/**
 * The image to render next, the one in view first, and its settings and edits.
 *
 * @param held ids of files whose edits wait until a person has decided more of their objects
 */
export const nextOutdated = <P extends EditedItem>(
  items: readonly P[],
  selectedId: string | null,
  held: ReadonlySet<string>,
): { readonly item: P; readonly wanted: WantedEdits } | undefined => {
  const outdated = items.filter((item) => !held.has(item.id) && isOutdated(item));
  const item = outdated.find(({ id }) => id === selectedId) ?? outdated[0];
  const wanted = item && wantedEdits(item);
  return wanted && { item, wanted };
};

/** Whether these settings need no new detection run for the image. */
export const isEditable = ({ status, result }: EditedItem, wanted: Settings): boolean => {
  const { classes, thresholds } = wanted;
  const { searched, appliedEdits } = result?.editable ?? {};
  const isGuessed = result !== null && isProbablySphere(result);
  return (
    status === 'done' &&
    searched !== undefined &&
    appliedEdits !== undefined &&
    hasSameSearch(wanted, appliedEdits.settings) &&
    (!isGuessed || hasSameSphereGuess(wanted, appliedEdits.settings)) &&
    classes.length > 0 &&
    classes.every((name) => searched.includes(name) && thresholdIn(thresholds, name) >= CANDIDATE_FLOOR)
  );
};

/** Objects that can be selected in an image. */
export const objectsOf = (item: EditedItem): readonly EditableObject[] => {
  const wanted = wantedEdits(item);
  const found = item.result?.editable?.found;
  return wanted && found ? listObjects(found, wanted.settings, wanted.edits) : [];
};
