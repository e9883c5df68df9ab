import type { ReportedClass } from '#shared/catalogue/classes';
import { toBbox, type Bbox } from '#shared/domain/boxes';
import {
  US_PER_SECOND,
  type FrameReport,
  type ImageReport,
  type Region,
  type ReportedFrameDetection,
} from '#shared/domain/plan';
import { cocoMask, type CocoMask } from './run-lengths';

/** One object as other tools get it. */
export interface ExportedObject {
  /** Unique in its image or frame. */
  readonly id: number;
  /** The same for one object in many frames; absent without tracking. */
  readonly track?: number;
  readonly class: ReportedClass;
  readonly score: number;
  /** In px of the upright image or frame. */
  readonly bbox: Bbox;
  readonly hidden: boolean;
  /** The pixels that its shape covers; absent where no plan is stored. */
  readonly mask?: CocoMask;
}

/** An image, or one frame of a video, with its objects. */
export interface ExportedFrame {
  /** Name of the source. */
  readonly file: string;
  /** Number and time of the frame, in seconds; absent for an image. */
  readonly frame?: number;
  readonly time?: number;
  readonly width: number;
  readonly height: number;
  readonly objects: readonly ExportedObject[];
}

/** Makes the text of an export, piece by piece, because videos have hours of frames. */
export interface ExportWriter {
  /** @param frame an image, or the next frame of a video */
  add(frame: ExportedFrame): string;
  /** Called once, after the last one. */
  end(): string;
}

const objectOf = (
  { id, trackId, objectClass, score, box, isAnonymised }: ReportedFrameDetection,
  size: Pick<ImageReport, 'width' | 'height'>,
  regions: readonly Region[],
): ExportedObject => {
  const region = regions.find((one) => one.id === id);
  return {
    id,
    ...(trackId !== undefined && { track: trackId }),
    class: objectClass,
    score,
    bbox: toBbox(box),
    hidden: isAnonymised,
    ...(region && { mask: cocoMask(region.shape, size) }),
  };
};

/** @param regions of the plan, whose numbers are those of the detections; none where no plan is stored */
export const exportedImage = (
  file: string,
  report: ImageReport,
  regions: readonly Region[] = [],
): ExportedFrame => {
  const { width, height, detections } = report;
  return { file, width, height, objects: detections.map((one) => objectOf(one, report, regions)) };
};

export const exportedFrame = (
  file: string,
  report: FrameReport,
  regions: readonly Region[] = [],
): ExportedFrame => {
  const { objects, ...image } = exportedImage(file, report, regions);
  return { ...image, frame: report.index, time: report.timestampUs / US_PER_SECOND, objects };
};
