import type { Tensor } from '../ports/inference';
import type { DetectionHead, RawDetection } from './detection-head';
import { surestLabel, wantedLabels } from './labelled-classes';

/** Planes before those of the classes: the box. */
const BEFORE_CLASSES = 4;

/**
 * YOLOv8, YOLOv9 and their kin, exported without NMS.
 *
 * Output: `[1, 4 + classes, predictions]`, planes centre x, centre y, width, height in network px, then each class's
 * probability.
 */
export const decodeYolo: DetectionHead = (outputs, _netWidth, _netHeight, minimum, labels) => {
  const { data, dims } = outputs[0] as Tensor;
  const predictions = dims[2] as number;
  const wanted = wantedLabels(labels, minimum);
  const found: RawDetection[] = [];
  for (let i = 0; i < predictions; i++) {
    const plane = (index: number): number => data[index * predictions + i] as number;
    const surest = surestLabel(wanted, (label) => plane(BEFORE_CLASSES + label));
    if (!surest) continue;
    const [x, y, halfWidth, halfHeight] = [plane(0), plane(1), plane(2) / 2, plane(3) / 2];
    found.push({
      ...surest,
      box: { x1: x - halfWidth, y1: y - halfHeight, x2: x + halfWidth, y2: y + halfHeight },
    });
  }
  return found;
};
