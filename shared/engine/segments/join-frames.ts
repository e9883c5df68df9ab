import { intersectionArea, boxArea, iou, type Box } from '../../domain/boxes';
import type { FramePlan, PlannedRegion, FrameReport, ReportedFrameDetection } from '../../domain/plan';
import { instanceColor } from '../redact/mask';
import { SAME_OBJECT_IOU } from './plan-segments';

/** What is known about one frame. The ids of its regions are those of the reported detections. */
export interface AnalysedFrame {
  readonly report: FrameReport;
  readonly plan: FramePlan;
}

/** The same object, once the tracks of both sides have common ids. */
const isSameObject = (a: ReportedFrameDetection, b: ReportedFrameDetection): boolean => {
  if (a.objectClass !== b.objectClass) return false;
  if (a.trackId !== undefined || b.trackId !== undefined) return a.trackId === b.trackId;
  return iou(a.box, b.box) >= SAME_OBJECT_IOU;
};

const contains = (outer: Box, inner: Box): boolean =>
  boxArea(inner) > 0 && intersectionArea(outer, inner) === boxArea(inner);

const coversShape = (a: PlannedRegion['shape'], b: PlannedRegion['shape']): boolean =>
  a.kind === 'box' && b.kind === 'box' ? contains(a.box, b.box) : JSON.stringify(a) === JSON.stringify(b);

/** Whether `a` hides all that `b` hides, at least as strongly, also after any edit of the video. */
const covers = (a: PlannedRegion, b: PlannedRegion): boolean =>
  a.trackId === b.trackId &&
  a.detection.objectClass === b.detection.objectClass &&
  a.detection.score >= b.detection.score &&
  a.method === b.method &&
  a.cellPx >= b.cellPx &&
  a.featherPx >= b.featherPx &&
  contains(a.detection.box, b.detection.box) &&
  coversShape(a.shape, b.shape);

const addRegion = (regions: readonly PlannedRegion[], added: PlannedRegion): readonly PlannedRegion[] => {
  if (regions.some((one) => covers(one, added))) return regions;
  return [...regions.filter((one) => !covers(added, one)), added];
};

/**
 * Joins what two sides know about the same frame: everything is hidden that either of them hides.
 *
 * A region is left out only if a single other one covers it; an object that both sides know is reported once.
 *
 * @param base gives the ids, times and boxes of objects that both know
 */
export const uniteFrames = (base: AnalysedFrame, other: AnalysedFrame): AnalysedFrame => {
  const detections = [...base.report.detections];
  const idIn = new Map<number, number>();
  for (const detection of other.report.detections) {
    const at = detections.findIndex((one) => isSameObject(one, detection));
    const known = detections[at];
    const id = known?.id ?? 1 + detections.reduce((largest, one) => Math.max(largest, one.id), -1);
    idIn.set(detection.id, id);
    if (known) {
      detections[at] = { ...known, isAnonymised: known.isAnonymised || detection.isAnonymised };
    } else {
      const color = instanceColor({ id, detection });
      detections.push({ ...detection, id, color });
    }
  }
  let regions: readonly PlannedRegion[] = base.plan.regions;
  for (const region of other.plan.regions) {
    const id = idIn.get(region.id);
    if (id === undefined) throw new Error('a region hides an object that was not reported');
    regions = addRegion(regions, { ...region, id });
  }
  return { report: { ...base.report, detections }, plan: { ...base.plan, regions } };
};

const withId = <T extends { readonly trackId?: number }>(item: T, idOf: (own: number) => number): T =>
  item.trackId === undefined ? item : { ...item, trackId: idOf(item.trackId) };

/** The same frame with other track ids. */
export const withTrackIds = (
  { report, plan }: AnalysedFrame,
  idOf: (own: number) => number,
): AnalysedFrame => ({
  report: { ...report, detections: report.detections.map((one) => withId(one, idOf)) },
  plan: { ...plan, regions: plan.regions.map((one) => withId(one, idOf)) },
});

/** The same frame with its number in the video. */
export const withIndex = ({ report, plan }: AnalysedFrame, index: number): AnalysedFrame => ({
  report: { ...report, index },
  plan: { ...plan, index },
});
