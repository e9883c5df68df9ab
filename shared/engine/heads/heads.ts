import type { HeadName } from '../../domain/manifest';
import type { Head } from './head';
import { centerface } from './head-centerface';
import { centernet } from './head-centernet';
import { efficientSam } from './head-efficient-sam';
import { faceEmbedding } from './head-face-embedding';
import { objectOutline } from './head-object-outline';
import { plateCorners } from './head-plate-corners';
import { plateWindows } from './head-plate-windows';
import { poseMask } from './head-pose-mask';
import { selfieMask } from './head-selfie-mask';
import { textRegions } from './head-text-regions';
import { yolo, yoloSeg } from './head-yolo';
import { yoloEndToEnd, yoloSegEndToEnd } from './head-yolo-end-to-end';
import { yolox } from './head-yolox';
import { yunet } from './head-yunet';

export type { Head, Role } from './head';

/** All heads, in the order in which they are tried on a model file without a description. */
export const HEADS = {
  centernet,
  'plate-corners': plateCorners,
  'text-regions': textRegions,
  'plate-windows': plateWindows,
  'selfie-mask': selfieMask,
  'pose-mask': poseMask,
  'object-outline': objectOutline,
  yunet,
  centerface,
  yolox,
  yolo,
  'yolo-end-to-end': yoloEndToEnd,
  'yolo-seg': yoloSeg,
  'yolo-seg-end-to-end': yoloSegEndToEnd,
  'efficient-sam': efficientSam,
  'face-embedding': faceEmbedding,
} as const satisfies { readonly [Name in HeadName]: Head<Name> };

export const headOf = (name: HeadName): Head => HEADS[name];
