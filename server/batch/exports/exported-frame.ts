import type { ReportedClass } from '#shared/catalogue/classes';
import type { Method } from '#shared/catalogue/methods';
import { clipBox, outerPixels, toBbox, type Bbox } from '#shared/domain/boxes';
import {
  methodOf,
  US_PER_SECOND,
  type FrameReport,
  type ImageReport,
  type Region,
  type ReportedFrameDetection,
} from '#shared/domain/plan';
import type { Size } from '#shared/domain/raster';
import { shapeBounds } from '#shared/engine/masks/fill-shape';
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
  /** How it was hidden, for `--from`; absent where it is visible. */
  readonly redaction?: ExportedRedaction;
}

/** What next to the mask decides the pixels of a hidden object. */
interface ExportedRedaction {
  readonly method: Method;
  /** Around its shape: whole px, inside the image. */
  readonly bbox: Bbox;
  /** See `Region`. */
  readonly cell_px: number;
  readonly feather_px: number;
}

/** The plan of an image or frame, as far as it is stored. */
interface StoredPlan {
  readonly method: Method;
  /** Their numbers are those of the detections. */
  readonly regions: readonly Region[];
}

const redactionOf = (region: Region, plan: StoredPlan, { width, height }: Size): ExportedRedaction => ({
  method: methodOf(region, plan),
  bbox: toBbox(outerPixels(clipBox(shapeBounds(region.shape), width, height))),
  cell_px: region.cellPx,
  feather_px: region.featherPx,
});

/** An image, or one frame of a video, with its objects. */
export interface ExportedFrame {
  /** Name of the source. */
  readonly file: string;
  /** Number and time of the frame, in seconds; absent for an image. */
  readonly frame?: number;
  readonly time?: number;
  /** Of a frame of a bag. */
  readonly topic?: string;
  readonly width: number;
  readonly height: number;
  readonly objects: readonly ExportedObject[];
}

/** Makes the text of an export, piece by piece, because videos have hours of frames. */
export interface ExportWriter {
  /** @param frame an image, or the next frame of a video */
  add(frame: ExportedFrame): string;
  /** Called once, after the last one. @returns the rest, in pieces */
  end(): Iterable<string>;
}

const objectOf = (
  { id, trackId, objectClass, score, box, isAnonymised }: ReportedFrameDetection,
  size: Pick<ImageReport, 'width' | 'height'>,
  plan: StoredPlan | undefined,
): ExportedObject => {
  const region = plan?.regions.find((one) => one.id === id);
  return {
    id,
    ...(trackId !== undefined && { track: trackId }),
    class: objectClass,
    score,
    bbox: toBbox(box),
    hidden: isAnonymised,
    ...(region && { mask: cocoMask(region.shape, size) }),
    ...(region && plan && isAnonymised && { redaction: redactionOf(region, plan, size) }),
  };
};

/** @param plan undefined: none is stored */
export const exportedImage = (file: string, report: ImageReport, plan?: StoredPlan): ExportedFrame => {
  const { width, height, detections } = report;
  return { file, width, height, objects: detections.map((one) => objectOf(one, report, plan)) };
};

export const exportedFrame = (file: string, report: FrameReport, plan?: StoredPlan): ExportedFrame => {
  const { objects, ...image } = exportedImage(file, report, plan);
  const { index, timestampUs, topic } = report;
  const place = { frame: index, time: timestampUs / US_PER_SECOND, ...(topic !== undefined && { topic }) };
  return { ...image, ...place, objects };
};
