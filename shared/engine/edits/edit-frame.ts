import { boxArea, clipBox, boxHeight, boxWidth, moveBox, outerPixels, type Box } from '../../domain/boxes';
import type { Size } from '../../domain/raster';
import type { HidingMethod } from '../../catalogue/methods';
import { thresholdIn, type ImageOptions, type Margins } from '../../domain/options';
import type { RedactionPlan, Region, Shape, PlannedRegion } from '../../domain/plan';
import {
  type Hiding,
  type ObjectEdit,
  type Stroke,
  changesHiding,
  hidingOf,
  mapBetween,
  drawnShapeBounds,
  placedBox,
} from '../../domain/edits/edits';
import type { VideoFrame } from '../../ports/video';
import { paddedBox, planRedaction, planRegion } from '../redact/plan-redaction';
import type { ShownTrack } from '../../domain/subject';
import { showFaces } from '../subjects/show-faces';
import { editedShape, movedDetection } from './edit-plan';
import { isConfirmed, isKeptHidden, isShown, isWithin, changesRenderingIn } from './edit-range';
import type { DrawnPlace } from './follow-drawn';
import { strokeShape } from './stroke';
import type { RenderJob } from '../../ports/engine';

/** Maximum distance in px by which a side of `outer` lies outside of `inner`; at least 0. */
const overhang = (outer: Box, inner: Box): number =>
  Math.max(0, inner.x1 - outer.x1, inner.y1 - outer.y1, outer.x2 - inner.x2, outer.y2 - inner.y2);

/** A stroke, moved and stretched from one box to another: its brush covers the stretched brush. */
const moveStroke = ({ points, radius }: Stroke, from: Box, to: Box): Omit<Stroke, 'shape'> => {
  const scale = Math.max(boxWidth(to) / boxWidth(from), boxHeight(to) / boxHeight(from));
  return { points: points.map(mapBetween(from, to)), radius: radius * scale };
};

/**
 * The shape that hides a drawn area at the place to which it was followed.
 *
 * A stretched stroke would miss pixels of the original one. Therefore it is moved to the place at which it was
 * recognised, and its brush grows by the margin of the box.
 *
 * @param box to hide, with its padding
 * @returns undefined if all of it lies outside the frame
 */
const followedShape = ({ area, seen }: DrawnPlace, box: Box, size: PlanSize): Shape | undefined => {
  if (area.shape !== 'stroke') return { kind: area.shape, box };
  const { points, radius } = moveStroke(area, drawnShapeBounds(area), seen);
  return strokeShape({ points, radius: radius + overhang(box, seen) }, size);
};

/** The content of a drawn area is unknown. Therefore it is hidden as strongly as a plate, the most sensitive class. */
const DRAWN_CLASS = 'license-plate';
const DRAWN_SCORE = 1;

/** The size of a frame, and whether it is a panorama. */
type PlanSize = Pick<RedactionPlan, 'width' | 'height' | 'wraps'>;

const sizeOf = ({ width, height }: Size, { format }: Pick<ImageOptions, 'format'>): PlanSize => ({
  ...{ width, height },
  ...(format.kind === 'pano' && { wraps: true }),
});

/** A box, turned around a panorama until `start` begins inside; in other frames it stays. */
const turned = (box: Box, { width, wraps }: PlanSize, start = box): Box =>
  wraps ? moveBox(box, -width * Math.floor(start.x1 / width), 0) : box;

/** The part of a box inside of the frame. In a panorama the box goes on at the other edge: the detection has it whole. */
const partInside = (box: Box, { width, height, wraps }: PlanSize) => {
  const inside = clipBox(box, width, height);
  const whole = wraps && box.x2 > width ? { ...inside, x1: box.x1, x2: box.x2 } : undefined;
  return { box: inside, ...(whole && { whole }) };
};

/** The region of a drawn area; undefined if it lies outside the frame. */
const drawnRegion = (
  { area, ...followed }: DrawnPlace,
  size: PlanSize,
  { method: general, methods }: Hiding,
): Region | undefined => {
  const method = area.method ?? methods?.[area.type_label];
  const place = { box: turned(followed.box, size), seen: turned(followed.seen, size, followed.box) };
  const inside = partInside(place.box, size);
  if (boxArea(inside.box) === 0) return undefined;
  // A clipped ellipse would be narrower at the edge of the frame.
  const shown = area.shape === 'box' ? (inside.whole ?? inside.box) : place.box;
  const box = paddedBox({ objectClass: DRAWN_CLASS, box: shown });
  const shape = followedShape({ area, ...place }, box, size);
  if (!shape) return undefined;
  const detection = { objectClass: DRAWN_CLASS, score: DRAWN_SCORE, ...inside } as const;
  const region = planRegion(detection, 0, shape, { method: method ?? general, bbox: false });
  return { ...region, featherPx: 0, ...(method && { method }) };
};

const restyle = (
  { method: _before, ...region }: PlannedRegion,
  { method, bbox, ...margins }: Pick<ImageOptions, 'method' | 'bbox'> & Margins,
  own: HidingMethod | undefined,
): PlannedRegion => {
  const { detection, id, shape } = region;
  const styled = planRegion(detection, id, shape, { ...margins, method: own ?? method, bbox });
  return { ...region, ...styled, ...(own && { method: own }) };
};

/** A region with the place and the class that a person gave to its track; where all of it is outside, as it was. */
const placedRegion = (
  region: PlannedRegion,
  edit: ObjectEdit,
  size: PlanSize,
  margins: Margins,
): PlannedRegion => {
  const { detection } = region;
  const objectClass = edit.type_label ?? detection.objectClass;
  // Of an object at the seam of a panorama, each part is moved as the whole.
  const found = { ...detection, box: detection.whole ?? detection.box };
  const placed = edit.bbox && partInside(turned(placedBox(outerPixels(found.box), edit), size), size);
  const isPlaced = placed !== undefined && boxArea(placed.box) > 0;
  if (!isPlaced && objectClass === detection.objectClass) return region;
  const box = isPlaced ? (placed.whole ?? placed.box) : found.box;
  const shape = editedShape(found, { box, objectClass }, region.shape, { ...size, margins });
  const changed = isPlaced
    ? { ...movedDetection(found, { box, objectClass }), ...placed }
    : { ...detection, objectClass };
  return { ...region, detection: changed, shape };
};

type EditsOfTracks = ReadonlyMap<number | undefined, ObjectEdit>;

/** The detected regions that stay hidden after the edits, each with its method. */
const hiddenRegions = (
  regions: readonly PlannedRegion[],
  frame: VideoFrame,
  { options, edits }: Pick<RenderJob, 'options' | 'edits'>,
  ofTracks: EditsOfTracks,
): readonly PlannedRegion[] => {
  const hiding = changesHiding(edits) ? hidingOf(edits, options) : undefined;
  return regions.flatMap((region) => {
    const { trackId, detection } = region;
    const { objectClass, score } = detection;
    const edit = ofTracks.get(trackId);
    if (edit && isShown(edit, frame)) return [];
    const isWanted =
      !hiding ||
      (hiding.classes.includes(objectClass) && score >= thresholdIn(hiding.thresholds, objectClass));
    if (!isWanted && !(edit && isConfirmed(edit))) return [];
    if (edit && changesRenderingIn(edit, frame)) {
      const placed = placedRegion(region, edit, sizeOf(frame.raster, options), options);
      const ofClass = hidingOf(edits, options).methods[placed.detection.objectClass];
      return [restyle(placed, options, edit.method ?? ofClass)];
    }
    return [hiding ? restyle(region, options, hiding.methods[objectClass]) : region];
  });
};

/** Similarity of a track to the subject, in frames that lie between agreeing ones. */
const confidenceIn = (
  frame: VideoFrame,
  trackId: number | undefined,
  tracks: readonly ShownTrack[],
): number | undefined =>
  tracks.find((track) => track.trackId === trackId && track.ranges.some((range) => isWithin(frame, range)))
    ?.confidence;

/**
 * Applies a user's edits to the plan of one frame. No detector runs again.
 *
 * @param found regions of the first run, and places of drawn areas in this frame
 * @param job options of the first run, the edits, and the tracks of the subject that stays visible
 */
export const editFrame = (
  frame: VideoFrame,
  { regions, places }: { readonly regions: readonly PlannedRegion[]; readonly places: readonly DrawnPlace[] },
  { options: uploaded, edits, shownTracks = [] }: Pick<RenderJob, 'options' | 'edits' | 'shownTracks'>,
): RedactionPlan => {
  const { raster } = frame;
  const { objects = [] } = edits;
  const options = { ...uploaded, method: edits.method ?? uploaded.method };
  const ofTracks: EditsOfTracks = new Map(objects.map((edit) => [edit.id, edit]));
  const kept = hiddenRegions(regions, frame, { options, edits }, ofTracks);
  const hiding = hidingOf(edits, uploaded);
  const drawn = places.flatMap((place) => {
    const region = drawnRegion(place, sizeOf(raster, options), hiding);
    return region ? [{ ...region, object: -1 - (edits.areas ?? []).indexOf(place.area) }] : [];
  });
  const all = [...kept, ...drawn].map((region, id): PlannedRegion => ({ ...region, id }));
  const marked = showFaces(
    all,
    ({ trackId }) => confidenceIn(frame, trackId, shownTracks),
    ({ trackId }) => {
      const edit = ofTracks.get(trackId);
      return edit !== undefined && isKeptHidden(edit);
    },
  );
  return { ...planRedaction(raster, [], new Map(), options), regions: marked };
};
