import { boxArea, clipBox } from '../../domain/boxes';
import type { HidingMethod } from '../../catalogue/methods';
import { thresholdIn, type ImageOptions } from '../../domain/options';
import type { RedactionPlan, Region } from '../../domain/plan';
import type { Size } from '../../domain/size';
import type { PlannedRegion, TrackMethod, VideoEdits } from '../../domain/video-edits';
import type { VideoFrame } from '../../ports/video';
import { paddedBox, planRedaction, planRegion } from '../redact/plan-redaction';
import type { ShownTrack } from '../../domain/subject';
import { showFaces } from '../subjects/show-faces';
import { beginsIn, isShown, isWithin } from './edit-range';
import type { DrawnPlace } from './follow-drawn';
import { followedShape } from './followed-shape';

/** The content of a drawn area is unknown. Therefore it is hidden as strongly as a plate, the most sensitive class. */
const DRAWN_CLASS = 'license-plate';
const DRAWN_SCORE = 1;

/** The region of a drawn area; undefined if it lies outside the frame. */
const drawnRegion = (place: DrawnPlace, size: Size, options: ImageOptions): Region | undefined => {
  const { method } = place.drawn;
  const inside = clipBox(place.box, size.width, size.height);
  if (boxArea(inside) === 0) return undefined;
  // A clipped ellipse would be narrower at the edge of the frame.
  const isBox = (place.drawn.shape?.kind ?? 'box') === 'box';
  const box = paddedBox({ objectClass: DRAWN_CLASS, box: isBox ? inside : place.box });
  const shape = followedShape(place, box, size);
  if (!shape) return undefined;
  const detection = { objectClass: DRAWN_CLASS, score: DRAWN_SCORE, box: inside } as const;
  const region = planRegion(detection, 0, shape, { method: method ?? options.method, wholeBoxes: false });
  return { ...region, featherPx: 0, ...(method && { method }) };
};

const methodOfTrack = (
  methods: readonly TrackMethod[],
  trackId: number | undefined,
  frame: VideoFrame,
): HidingMethod | undefined =>
  methods.find((one) => one.trackId === trackId && (!one.range || beginsIn(frame, one.range)))?.method;

const restyle = (
  { method: _before, ...region }: PlannedRegion,
  { method, wholeBoxes }: Pick<ImageOptions, 'method' | 'wholeBoxes'>,
  own: HidingMethod | undefined,
): PlannedRegion => {
  const { detection, id, shape } = region;
  const styled = planRegion(detection, id, shape, { method: own ?? method, wholeBoxes });
  return { ...region, ...styled, ...(own && { method: own }) };
};

/** The detected regions that stay hidden after the edits, each with its method. */
const hiddenRegions = (
  regions: readonly PlannedRegion[],
  frame: VideoFrame,
  options: ImageOptions,
  { hiding, trackMethods = [] }: VideoEdits,
): readonly PlannedRegion[] => {
  const confirmed = new Set(trackMethods.map(({ trackId }) => trackId));
  return regions.flatMap((region) => {
    const { trackId, detection } = region;
    const { objectClass, score } = detection;
    const isWanted =
      !hiding ||
      (hiding.classes.includes(objectClass) && score >= thresholdIn(hiding.thresholds, objectClass));
    if (!isWanted && !(trackId !== undefined && confirmed.has(trackId))) return [];
    const own = methodOfTrack(trackMethods, trackId, frame);
    if (own) return [restyle(region, options, own)];
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
 * @param regions of the first run
 * @param places of drawn areas in this frame
 * @param uploaded options of the first run
 * @param shownTracks of the subject that stays visible
 */
export const editFrame = (
  frame: VideoFrame,
  regions: readonly PlannedRegion[],
  places: readonly DrawnPlace[],
  uploaded: ImageOptions,
  edits: VideoEdits,
  shownTracks: readonly ShownTrack[] = [],
): RedactionPlan => {
  const { raster } = frame;
  const options = { ...uploaded, method: edits.hiding?.method ?? uploaded.method };
  const kept = hiddenRegions(regions, frame, options, edits).filter(
    ({ trackId }) => trackId === undefined || !isShown(edits, trackId, frame),
  );
  const drawn = places.flatMap((place) => drawnRegion(place, raster, options) ?? []);
  const all = [...kept, ...drawn].map((region, id): PlannedRegion => ({ ...region, id }));
  const marked = showFaces(
    all,
    ({ trackId }) => confidenceIn(frame, trackId, shownTracks),
    ({ trackId }) => trackId !== undefined && (edits.hiddenTracks ?? []).includes(trackId),
  );
  return { ...planRedaction(raster, [], new Map(), options), regions: marked };
};
