import type { ReportedDetection } from '../pipeline/image-report';
import { CLASS_CODES } from '../pipeline/object-class';
import type { StoredResult } from '../tasks/task-files';
import type { Task } from '../tasks/task';
import type { DetectionMetadata, ImageMetadata } from './schemas-results';

const detectionMetadata = (
  { id, objectClass, score, box, isAnonymised, color }: ReportedDetection,
  filename: string,
  hasInstanceMask: boolean,
): DetectionMetadata => ({
  id,
  parent_image: filename,
  offset: [box.x1, box.y1],
  bbox: [box.x1, box.y1, box.x2, box.y2],
  type: CLASS_CODES[objectClass].typeCode,
  score,
  is_anonymised: isAnonymised,
  type_label: objectClass,
  color: hasInstanceMask ? [...color] : null,
});

/** A task's result in the contract's words. */
export const imageMetadata = ({ id, filename }: Task, { report, masks }: StoredResult): ImageMetadata => ({
  id: filename,
  detections: report.detections.map((detection) =>
    detectionMetadata(detection, filename, masks.includes('instance')),
  ),
  size: [report.width, report.height],
  duration: report.durationS,
  filename,
  // Uploads lie in the input folder, each in a folder named after its task.
  folder: id,
});
