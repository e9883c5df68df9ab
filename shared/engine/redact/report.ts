import { hides } from '../../catalogue/methods';
import {
  type ImageReport,
  type ReportedDetection,
  type RedactionPlan,
  type Region,
  numberedAreas,
} from '../../domain/plan';
import { rasteriseRegion } from './coverage';
import { instanceColor } from './mask';
import { outerPixels } from '../../domain/boxes';

/**
 * Whether an object is hidden: false with `detect`, for a subject that is shown, and for objects that lie completely in
 * ignored areas.
 */
const isAnonymised = (region: Region, plan: RedactionPlan): boolean => {
  if (!hides(plan.method) || region.shown !== undefined) return false;
  return plan.ignores.length === 0 || rasteriseRegion(region, plan).alpha.some((cover) => cover > 0);
};

const reportRegion = (region: Region, plan: RedactionPlan): ReportedDetection => ({
  id: region.id,
  objectClass: region.detection.objectClass,
  score: region.detection.score,
  box: outerPixels(region.detection.box),
  isAnonymised: isAnonymised(region, plan),
  color: instanceColor(region),
  ...(region.shown !== undefined && { shownConfidence: region.shown }),
  ...(region.object !== undefined && { object: region.object }),
});

/** Makes the report of a plan. @param durationS seconds of detection and anonymisation */
export const reportPlan = (plan: RedactionPlan, durationS: number): ImageReport => ({
  width: plan.width,
  height: plan.height,
  detections: [
    ...plan.regions.map((region) => reportRegion(region, plan)),
    ...numberedAreas(plan).map((area): ReportedDetection => ({
      id: area.id,
      objectClass: 'area',
      score: area.detection.score,
      box: outerPixels(area.detection.box),
      isAnonymised: hides(plan.method),
      color: instanceColor(area),
    })),
  ],
  durationS,
});
