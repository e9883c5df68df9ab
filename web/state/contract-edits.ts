import type { Candidate, Edits } from '#shared/api/contract/schemas-edits';
import type { DrawnArea, DrawnShape, NumberedDetection, ObjectChange } from '#shared/domain/edits/edits';
import { ignoredArea } from '#shared/domain/edits/ignored-area';
import type { Box } from '#shared/domain/boxes';
import { thresholdIn } from '#shared/domain/options';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { WantedEdits } from './wanted-edits';

type ObjectEdit = NonNullable<Edits['objects']>[number];
type AreaEdit = NonNullable<Edits['areas']>[number];

const corners = ({ x1, y1, x2, y2 }: Box): [number, number, number, number] => [x1, y1, x2, y2];

const objectEdit = (
  id: number,
  { isOff, isDeleted, box, objectClass, method }: ObjectChange,
): ObjectEdit => ({
  id,
  // A person may have confirmed that it is hidden.
  ...(isOff !== undefined && { hidden: !isOff }),
  ...(isDeleted && { deleted: true }),
  ...(box && { bbox: corners(box) }),
  ...(objectClass && { type_label: objectClass }),
  ...(method && { method }),
});

const shapeFields = (outline: DrawnShape): Pick<AreaEdit, 'shape' | 'bbox' | 'points' | 'radius'> =>
  outline.kind === 'stroke'
    ? { shape: 'stroke', points: outline.points.map(([x, y]) => [x, y]), radius: outline.radiusPx }
    : { shape: outline.kind, bbox: corners(outline.box) };

const areaEdit = ({ objectClass, outline, method, isOff }: DrawnArea): AreaEdit => ({
  type_label: objectClass,
  ...shapeFields(outline),
  ...(method && { method }),
  ...(isOff && { hidden: false }),
});

/** Settings and edits of an image in the contract's words. */
export const contractEdits = ({ settings, edits }: WantedEdits): Edits => ({
  method: settings.method,
  methods: { ...settings.methods },
  classes: [...settings.classes],
  thresholds: Object.fromEntries(
    settings.classes.map((name) => [name, thresholdIn(settings.thresholds, name)]),
  ),
  // Numbers are keys of a record, and so text.
  objects: Object.entries(edits.changes).map(([id, change]) => objectEdit(Number(id), change)),
  areas: edits.drawn.map(areaEdit),
  ignores: edits.kept.map(({ box }) => {
    const { x, y, width, height } = ignoredArea(box);
    return { topLeftX: x, topLeftY: y, width, height };
  }),
  keep_metadata: settings.keepsMetadata ?? false,
  ...(settings.show !== undefined && { show: settings.show }),
});

/** Detections of an image, as edits refer to them. */
export const numberedDetection = ({ id, type_label, score, bbox }: Candidate): NumberedDetection => {
  const [x1, y1, x2, y2] = bbox;
  return { id, detection: { objectClass: type_label as ObjectClass, score, box: { x1, y1, x2, y2 } } };
};
