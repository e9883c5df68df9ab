import type { HeadName } from '../../domain/manifest';
import type { DetectionHead } from './detection-head';
import { decodeCenterFace } from './head-centerface';
import { decodeCenterNet } from './head-centernet';
import { decodePlateCorners } from './head-plate-corners';
import { decodeTextRegions } from './head-text-regions';
import { decodeYolo, decodeYoloSeg } from './head-yolo';
import { decodeYoloEndToEnd, decodeYoloSegEndToEnd } from './head-yolo-end-to-end';
import { decodeYolox } from './head-yolox';
import { decodeYuNet } from './head-yunet';

/** The decoder of every head that yields boxes; the mask heads are read by `segment-object.ts`. */
export const DETECTION_HEADS = {
  centernet: decodeCenterNet,
  'plate-corners': decodePlateCorners,
  'text-regions': decodeTextRegions,
  yunet: decodeYuNet,
  centerface: decodeCenterFace,
  yolox: decodeYolox,
  yolo: decodeYolo,
  'yolo-end-to-end': decodeYoloEndToEnd,
  'yolo-seg': decodeYoloSeg,
  'yolo-seg-end-to-end': decodeYoloSegEndToEnd,
} as const satisfies Partial<Record<HeadName, DetectionHead>>;
