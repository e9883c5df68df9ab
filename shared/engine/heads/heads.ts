import type { HeadName } from '../../domain/manifest';
import type { Head } from './head';
import { centerface, centernet, plateCorners } from './head-centre-points';
import { detr } from './head-detr';
import { efficientSam } from './head-efficient-sam';
import { textRegions } from './head-text-regions';
import { yolo, yoloSeg, yoloEndToEnd, yoloSegEndToEnd } from './head-yolo';
import { yolox, yunet } from './head-cells';

export type { Head, Role } from './head';

/** All heads, in the order in which they are tried on a model file without a description. */
export const HEADS = {
  centernet,
  'plate-corners': plateCorners,
  'text-regions': textRegions,
  /** In sliding windows, with four corners each; `plates/plate-windows.ts` decodes them. */
  'plate-windows': { role: 'plate-classifier' },
  /** The mask of one person who fills the input; `masks/segment.ts` decodes it. */
  'selfie-mask': { role: 'segmenter' },
  /** The mask of one person in a square input; `masks/segment.ts` decodes it. */
  'pose-mask': { role: 'segmenter' },
  /** The mask of one object in a box; `masks/segment.ts` decodes it. */
  'object-outline': { role: 'segmenter' },
  yunet,
  centerface,
  yolox,
  yolo,
  'yolo-end-to-end': yoloEndToEnd,
  'yolo-seg': yoloSeg,
  'yolo-seg-end-to-end': yoloSegEndToEnd,
  detr,
  'efficient-sam': efficientSam,
  /** The embedding of the face that fills the input; `subjects/embed-face.ts` reads it. */
  'face-embedding': { role: 'face-recogniser' },
  /** Characters of a straightened line of text; `reading/read-ctc.ts` decodes them. */
  'text-reader': { role: 'text-reader' },
} as const satisfies Record<HeadName, Head>;

export const headOf = (name: HeadName): Head => HEADS[name];
