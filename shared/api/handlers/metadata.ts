import type { ReportedDetection } from '../../domain/image-report';
import { US_PER_SECOND } from '../../domain/time-units';
import { CLASSES } from '../../catalogue/classes';
import type { FrameReport } from '../../domain/video-report';
import type { StoredResult } from '../../tasks/files/task-files';
import type { DetectionMetadata, FrameMetadata, ImageMetadata } from '../contract/schemas-results';

const detectionMetadata = (
  { id, objectClass, score, box, isAnonymised, color, shownConfidence }: ReportedDetection,
  filename: string,
  hasInstanceMask: boolean,
): DetectionMetadata => ({
  id,
  parent_image: filename,
  offset: [box.x1, box.y1],
  bbox: [box.x1, box.y1, box.x2, box.y2],
  type: CLASSES[objectClass].typeCode,
  score,
  is_anonymised: isAnonymised,
  type_label: objectClass,
  color: hasInstanceMask ? [...color] : null,
  ...(shownConfidence !== undefined && { shown_confidence: shownConfidence }),
});

/** Where a picture came from. */
interface Origin {
  /** With extension, without folders. */
  readonly filename: string;
  /** Relative to the input folder; null: that folder itself. */
  readonly folder: string | null;
}

/** A picture's result in the contract's words. */
export const imageMetadata = (
  { filename, folder }: Origin,
  { report, masks }: Pick<StoredResult, 'report' | 'masks'>,
): ImageMetadata => ({
  id: filename,
  detections: report.detections.map((detection) =>
    detectionMetadata(detection, filename, masks.includes('instance')),
  ),
  size: [report.width, report.height],
  duration: report.durationS,
  filename,
  folder,
});

/** A frame's report in the contract's words. Videos have no masks, and so no colours. */
export const frameMetadata = (
  { index, timestampUs, width, height, durationS, detections }: FrameReport,
  hasTimestamp: boolean,
): FrameMetadata => ({
  id: index,
  detections: detections.map(({ trackId, ...detection }) => ({
    ...detectionMetadata(detection, '', false),
    parent_image: index,
    ...(trackId === undefined ? {} : { track_id: trackId }),
  })),
  size: [width, height],
  duration: durationS,
  ...(hasTimestamp && { timestamp: timestampUs / US_PER_SECOND }),
});
