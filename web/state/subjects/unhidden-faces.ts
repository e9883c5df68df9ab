import { boxArea, intersectionArea, toBbox, type Box } from '#shared/domain/boxes';
import { ignoredBox } from '#shared/domain/edits/edits';
import { listObjects, type EditableObject } from '#shared/domain/edits/list-objects';
import { editOf, type EditEvent, type WantedChange } from '../edit-history';
import type { Revisable } from '../wanted-edits';

/** A face of an image that is visible because of a user's edits. */
export interface UnhiddenFace {
  /** In px of the upright image. */
  readonly box: Box;
  /** Edits that hide it again. */
  readonly hiding: readonly EditEvent[];
}

/** Share of a face that a hidden object must cover, so that the face counts as hidden. */
const MIN_HIDDEN = 0.5;
/** Share of a face that an area without changes must cover, so that the face counts as visible. */
const MIN_KEPT = 0.25;

/** A face in the place where it was detected or drawn. */
interface Face {
  readonly id: number;
  readonly box: Box;
}

const shareIn = (area: Box, face: Box): number => intersectionArea(area, face) / Math.max(1, boxArea(face));

/** All faces that the detectors found above the threshold, or that a user confirmed or drew. */
const facesOf = ({ found, made }: Revisable, edited: readonly EditableObject[]): readonly Face[] => {
  const first = listObjects(found, made.settings, {});
  const boxes = new Map(found.map(({ id, detection }) => [id, detection.box]));
  const faces = [...first, ...edited].filter(
    ({ objectClass, origin }) => objectClass === 'face' && origin !== 'kept',
  );
  return [...new Map(faces.map(({ id, box }) => [id, { id, box: boxes.get(id) ?? box }])).values()];
};

/** Whether an object hides a face. The box of a person or a vehicle may contain a face of somebody else. */
const hides = (object: EditableObject, { id, box }: Face): boolean =>
  object.isHidden &&
  object.origin !== 'kept' &&
  (object.id === id || object.objectClass === 'face' || object.origin === 'drawn') &&
  shareIn(object.box, box) >= MIN_HIDDEN;

/** Faces that would be hidden without the edits of a user: disabled, deleted, moved away, or in an unchanged area. */
export const unhiddenFaces = (revisable: Revisable): readonly UnhiddenFace[] => {
  const { found, made } = revisable;
  const edited = listObjects(found, made.settings, made.edits);
  return facesOf(revisable, edited).flatMap((face): UnhiddenFace[] => {
    const { id, box } = face;
    const kept = made.edits.ignores.filter((area) => shareIn(ignoredBox(area), box) >= MIN_KEPT);
    const isHidden = edited.some((object) => hides(object, face));
    if (isHidden && kept.length === 0) return [];
    const isMoved = editOf(made.edits, id)?.bbox !== undefined;
    const change: WantedChange = { hidden: true, deleted: undefined, ...(isMoved && { bbox: toBbox(box) }) };
    return [
      {
        box,
        hiding: [
          ...(isHidden ? [] : [{ type: 'changed', id, change } as const]),
          ...kept.map((area) => ({ type: 'deleted', id: area.key }) as const),
        ],
      },
    ];
  });
};
