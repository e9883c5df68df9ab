import type { Tensor } from '../ports/inference';
import type { DetectionHead, RawDetection } from './detection-head';
import { wantedLabels } from './labelled-classes';

/** Where a row's numbers lie, by its length. */
const LAYOUTS = {
  /** With the number of the picture in its batch first: YOLOv7 and YOLOv9 with NMS in the graph. */
  7: { box: 1, label: 5, score: 6 },
  /** YOLOv10, and YOLOv8 with NMS in the graph. */
  6: { box: 0, label: 5, score: 4 },
} as const;

/**
 * YOLO exported with NMS in the graph, for one picture at a time.
 *
 * Output: rows of 7 (`[rows, 7]`: picture, x1, y1, x2, y2, class, score) or 6 (`[1, rows, 6]`: x1, y1, x2, y2, score,
 * class), boxes in network px.
 *
 * @throws if rows are of another length
 */
export const decodeYoloEndToEnd: DetectionHead = (outputs, _netWidth, _netHeight, minimum, labels) => {
  const { data, dims } = outputs[0] as Tensor;
  const length = dims.at(-1);
  if (length !== 6 && length !== 7) {
    throw new Error(`rows of a detector are of ${length} numbers, not 6 or 7`);
  }
  const layout = LAYOUTS[length];
  const wanted = new Map(wantedLabels(labels, minimum).map((label) => [label.label, label]));
  const found: RawDetection[] = [];
  for (let row = 0; row < data.length; row += length) {
    const at = (i: number): number => data[row + i] as number;
    const label = wanted.get(Math.round(at(layout.label)));
    const score = at(layout.score);
    if (!label || !(score >= label.least)) continue;
    const [x1, y1, x2, y2] = [0, 1, 2, 3].map((i) => at(layout.box + i)) as [number, number, number, number];
    found.push({ objectClass: label.objectClass, score, box: { x1, y1, x2, y2 } });
  }
  return found;
};
