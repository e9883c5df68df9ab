import { boxArea, type Box } from '#shared/domain/boxes';

/** A photo of the data set `vehicles`: each label is its class and the corners of its box in px. */
export interface VehiclePhoto {
  readonly file: string;
  readonly set: 'atl' | 'open-images';
  readonly boxes: readonly (readonly [name: string, x1: number, y1: number, x2: number, y2: number])[];
}

/** Root of the area of the smallest box that counts, in px. Smaller vehicles are not all labelled. */
const SMALLEST_PX = 16;
/** Wider than any frame, in px. */
const WIDEST = 100_000;

/** The vehicles of a frame, by whether they count. */
export interface CameraFrame {
  readonly counted: readonly Box[];
  /** Small labelled vehicles, and the area beyond the farthest one that counts, where labels are not complete. */
  readonly uncounted: readonly Box[];
}

/**
 * Divides the labels of a frame of a traffic camera.
 *
 * Distant vehicles are not all labelled. These cameras look along a road, so the area beyond the farthest labelled
 * vehicle is above that vehicle's lower edge: detections there are neither correct nor wrong.
 */
export const readFrame = ({ boxes }: VehiclePhoto): CameraFrame => {
  const all = boxes.map(([, x1, y1, x2, y2]): Box => ({ x1, y1, x2, y2 }));
  const isCounted = (box: Box): boolean => Math.sqrt(boxArea(box)) >= SMALLEST_PX;
  const counted = all.filter(isCounted);
  const small = all.filter((box) => !isCounted(box));
  const farEdge = Math.min(...counted.map(({ y2 }) => y2));
  const beyond = counted.length > 0 ? [{ x1: 0, y1: 0, x2: WIDEST, y2: farEdge }] : [];
  return { counted, uncounted: [...small, ...beyond] };
};
