import type { Box } from '#shared/domain/boxes';
import { waitForEvent } from './video-still';

/** Part of a frame for a thumbnail. */
export interface Crop {
  readonly atS: number;
  /** In px of the upright frame. */
  readonly box: Box;
}

/** Crops frames of a video, one after another: one decoder and one frame in memory. */
export interface Cropper {
  /** Rejects if the browser cannot show the video. */
  crop(crop: Crop): Promise<Blob>;
  close(): void;
}

/** Twice the displayed size, for dense displays. */
const SIDE_PX = 96;
/** Margin around the object, as a share of its longer side. */
const MARGIN = 0.25;
/** Maximum side of a crop, in shorter sides of the object: a line of text as a whole would be too small to read. */
const MAX_SHORTER_SIDES = 6;
/** Offset into the frame in seconds: its exact start may still show the frame before. */
const INTO_FRAME_S = 0.002;

/** Opens a video without showing it. Rejects if the browser cannot show the video. */
export const openVideo = async (
  file: Blob,
): Promise<{ readonly video: HTMLVideoElement; readonly close: () => void }> => {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  const close = (): void => {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  };
  try {
    const loaded = waitForEvent(video, 'loadeddata');
    video.src = url;
    await loaded;
    return { video, close };
  } catch (cause) {
    close();
    throw cause;
  }
};

/** Size of the frames that boxes refer to, in px. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

type Rectangle = readonly [x: number, y: number, width: number, height: number];

/**
 * Square around a box for a thumbnail, in px of the displayed video, whose pixels are square. It may extend beyond the
 * frame.
 */
export const squareAround = (
  { x1, y1, x2, y2 }: Box,
  { videoWidth, videoHeight }: Pick<HTMLVideoElement, 'videoWidth' | 'videoHeight'>,
  frame: FrameSize,
): Rectangle => {
  const [across, down] = [videoWidth / frame.width, videoHeight / frame.height];
  const sides = [(x2 - x1) * across, (y2 - y1) * down] as const;
  const side = Math.min(Math.max(...sides) * (1 + 2 * MARGIN), Math.min(...sides) * MAX_SHORTER_SIDES);
  return [((x1 + x2) * across - side) / 2, ((y1 + y2) * down - side) / 2, side, side];
};

/** Resolves when the frame of this time is shown. */
export const seek = async (video: HTMLVideoElement, atS: number): Promise<void> => {
  const sought = waitForEvent(video, 'seeked');
  video.currentTime = Math.min(atS + INTO_FRAME_S, video.duration);
  await sought;
};

const cut = async (video: HTMLVideoElement, { atS, box }: Crop, frame: FrameSize): Promise<Blob> => {
  await seek(video, atS);
  const canvas = new OffscreenCanvas(SIDE_PX, SIDE_PX);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser provides no canvas.');
  context.drawImage(video, ...squareAround(box, video, frame), 0, 0, SIDE_PX, SIDE_PX);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
};

export const createCropper = (file: Blob, frame: FrameSize): Cropper => {
  const opening = openVideo(file);
  opening.catch(() => undefined); // the caller gets the error
  let last: Promise<unknown> = Promise.resolve();
  return {
    crop: (crop) => {
      const made = last.then(async () => cut((await opening).video, crop, frame));
      last = made.catch(() => undefined);
      return made;
    },
    close: () => void opening.then(({ close }) => close()).catch(() => undefined),
  };
};
