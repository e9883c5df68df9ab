import type { ImageMetadata, VideoMetadata } from '#shared/api/contract/schemas-results';
import { iou, type Box, boxArea, intersectionArea, toBbox, toBox } from '#shared/domain/boxes';
import { reduceEdits, type EditEvent, editOf, type WantedChange } from '../edit-history';
import type { MediaItem, MediaResult } from '../media-item';
import type { AppEvent } from '../app-reducer';
import { beforeDecision } from '../uncertain/decide';
import { showsTrack, withRange } from '../video-edits';
import { objectsOf, type EditableResult } from '../wanted-edits';
import type { Anonymiser } from '../work';
import { withTrackHidden } from './track-visibility';
import { ignoredBox } from '#shared/domain/edits/edits';
import { listObjects, type EditableObject } from '#shared/domain/edits/list-objects';

/** A face of an image that is visible because of a user's edits. */
interface UnhiddenFace {
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
const facesOf = (
  { found, appliedEdits }: EditableResult,
  edited: readonly EditableObject[],
): readonly Face[] => {
  const first = listObjects(found, appliedEdits.settings, {});
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
const unhiddenFaces = (editable: EditableResult): readonly UnhiddenFace[] => {
  const { found, appliedEdits } = editable;
  const edited = listObjects(found, appliedEdits.settings, appliedEdits.edits);
  return facesOf(editable, edited).flatMap((face): UnhiddenFace[] => {
    const { id, box } = face;
    const kept = appliedEdits.edits.ignores.filter((area) => shareIn(ignoredBox(area), box) >= MIN_KEPT);
    const isHidden = edited.some((object) => hides(object, face));
    if (isHidden && kept.length === 0) return [];
    const isMoved = editOf(appliedEdits.edits, id)?.bbox !== undefined;
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

/** A face that is visible in a result. */
export interface VisibleFace {
  readonly fileId: string;
  /**
   * Similarity to the samples, 0..1. In videos of the frame in which the face is largest. Absent if the face is visible
   * only because a user decided so.
   */
  readonly confidence?: number;
  /** Whether a user made it visible by edits. */
  readonly isByHand: boolean;
  /** In px of the upright result. */
  readonly box: Box;
  /** Absent on images. */
  readonly trackId?: number;
  /** Time of the frame of a video, in seconds; absent on images. */
  readonly atS?: number;
  /** Edits of an image that hide it; absent for all other faces. */
  readonly hiding?: readonly EditEvent[];
}

/** Minimum overlap of an edited object with a face of the result, whose box has whole pixels. */
const MIN_OVERLAP = 0.5;

type Detection = Pick<
  ImageMetadata['detections'][number],
  'bbox' | 'type_label' | 'shown_confidence' | 'is_anonymised'
>;

const faceOf = (
  fileId: string,
  { bbox, type_label, shown_confidence: confidence, is_anonymised: isHidden }: Detection,
): VisibleFace | undefined => {
  if (type_label !== 'face' || isHidden) return undefined;
  const isByHand = confidence === undefined;
  return { fileId, isByHand, box: toBox(bbox), ...(!isByHand && { confidence }) };
};

/** Disabled faces are not in the metadata. */
const facesOfImage = (
  fileId: string,
  { detections }: ImageMetadata,
  { editable }: MediaResult,
): readonly VisibleFace[] => {
  const ofPerson = detections.flatMap((detection) => faceOf(fileId, detection) ?? []);
  const byHand = editable ? unhiddenFaces(editable) : [];
  return [
    ...ofPerson.filter(({ isByHand }) => !isByHand),
    ...byHand.map((face) => ({ ...face, fileId, isByHand: true })),
  ];
};

/** A frame whose time is known. */
interface KnownTime {
  readonly index: number;
  readonly atS: number;
}

/**
 * Start of a frame in seconds. Metadata have no times, but the first and last times of all tracks are known; frames
 * between them are taken for equally long.
 */
const timeOf = (frames: VideoMetadata, { objects }: MediaResult): ((index: number) => number) => {
  const seen = new Map(objects.flatMap((object) => (object.seen ? [[object.id, object.seen]] : [])));
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  for (const [index, { detections }] of frames.entries()) {
    for (const { track_id: id } of detections) {
      if (id === undefined) continue;
      if (!first.has(id)) first.set(id, index);
      last.set(id, index);
    }
  }
  const known: readonly KnownTime[] = [
    ...[...first].map(([id, index]) => ({ index, atS: seen.get(id)?.firstS ?? 0 })),
    ...[...last].map(([id, index]) => ({ index, atS: seen.get(id)?.lastS ?? 0 })),
  ].toSorted((a, b) => a.index - b.index);
  return (index) => {
    const before = known.findLast((time) => time.index <= index);
    const after = known.find((time) => time.index >= index);
    if (!before || !after || before.index === after.index) return (before ?? after)?.atS ?? 0;
    const share = (index - before.index) / (after.index - before.index);
    return before.atS + share * (after.atS - before.atS);
  };
};

/** Each visible track once, where it is largest. */
const facesOfVideo = (fileId: string, frames: VideoMetadata, result: MediaResult): readonly VisibleFace[] => {
  const byTrack = new Map<number, VisibleFace & { readonly index: number }>();
  for (const [index, { detections }] of frames.entries()) {
    for (const detection of detections) {
      const face = faceOf(fileId, detection);
      const { track_id: trackId } = detection;
      if (!face || trackId === undefined) continue;
      const before = byTrack.get(trackId);
      if (before && boxArea(before.box) >= boxArea(face.box)) continue;
      byTrack.set(trackId, { ...face, trackId, index });
    }
  }
  const atS = timeOf(frames, result);
  const byHand = new Set(result.video?.appliedEdits.objects.filter(showsTrack).map(({ id }) => id));
  return [...byTrack].map(([id, { index, ...face }]) => ({
    ...{ ...face, atS: atS(index) },
    isByHand: face.isByHand || byHand.has(id),
  }));
};

/** All faces that are visible in the result of a file, because they are similar to the samples or by hand. */
export const visibleFaces = async (
  { id, result }: Pick<MediaItem, 'id' | 'result'>,
  anonymiser: Pick<Anonymiser, 'detections'>,
): Promise<readonly VisibleFace[]> => {
  if (!result) return [];
  const found = await anonymiser.detections(result);
  return 'detections' in found ? facesOfImage(id, found, result) : facesOfVideo(id, found, result);
};

/** Ends the decisions of a user about a track, and keeps it hidden. */
const hideTrack = (item: MediaItem, trackId: number): readonly AppEvent[] => {
  const { id, edits: history } = item;
  // A range of a hidden track is the time in which it is visible.
  const edits = withTrackHidden(item, withRange(history.present, trackId, undefined), trackId, true);
  const after = { ...beforeDecision(item), edits: reduceEdits(history, { type: 'replaced', edits }) };
  return [
    { type: 'decided', id, after },
    { type: 'decisions-ended', ids: new Set([id]) },
  ];
};

/**
 * The events that hide a visible face: an ordinary edit, which the editors show and undo.
 *
 * @returns undefined if the result cannot be edited
 */
export const hidingEvents = (
  item: MediaItem,
  { box, trackId, hiding }: VisibleFace,
): readonly AppEvent[] | undefined => {
  const { id } = item;
  if (trackId !== undefined) return hideTrack(item, trackId);
  if (hiding) return hiding.map((edit) => ({ type: 'edited', id, edit }));
  const near = objectsOf(item)
    .filter(({ origin, objectClass }) => origin === 'found' && objectClass === 'face')
    .map((object) => ({ object, overlap: iou(object.box, box) }))
    .toSorted((a, b) => b.overlap - a.overlap)[0];
  if (!near || near.overlap < MIN_OVERLAP) return undefined;
  return [{ type: 'edited', id, edit: { type: 'changed', id: near.object.id, change: { hidden: true } } }];
};
