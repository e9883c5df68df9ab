import type { HeadName } from '../catalogue/manifest';
import type { DetectionHead } from './detection-head';
import { decodeCenterNet } from './head-centernet';
import { decodeFaceBoxes } from './head-faceboxes';
import { decodePlateCorners } from './head-plate-corners';
import { decodeTextRegions } from './head-text-regions';

/** The decoder of every head that yields boxes; the mask heads are read by `segment-person.ts`. */
export const DETECTION_HEADS = {
  faceboxes: decodeFaceBoxes,
  centernet: decodeCenterNet,
  'plate-corners': decodePlateCorners,
  'text-regions': decodeTextRegions,
} as const satisfies Partial<Record<HeadName, DetectionHead>>;
