import type { Box } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/raster';
import { openVideo, seek } from '../video-crops';

/** Decoded files that stay open: uncertain objects of one file often follow each other. */
const MAX_OPEN = 3;
/** Width of a crop in px: sharp on a dense display. */
const MAX_WIDTH_PX = 1_200;

/** Part of a file to show. */
export interface WantedCrop {
  readonly fileId: string;
  readonly file: File;
  /** Size of the image or frame that `region` refers to. */
  readonly size: Size;
  readonly region: Box;
  /** Time of the frame in a video; absent for images. */
  readonly atS?: number;
}

/** Cuts crops from the originals. */
export interface CropSource {
  /** Rejects if the browser cannot show the file. The caller closes the bitmap. */
  crop(wanted: WantedCrop): Promise<ImageBitmap>;
  close(): void;
}

interface Opened {
  draw(atS: number | undefined): Promise<{ readonly image: ImageBitmap | HTMLVideoElement } & Size>;
  close(): void;
}

const openedImage = async (file: Blob): Promise<Opened> => {
  const image = await createImageBitmap(file);
  const { width, height } = image;
  return { draw: async () => ({ image, width, height }), close: () => image.close() };
};

const openedVideo = async (file: Blob): Promise<Opened> => {
  const { video, close } = await openVideo(file);
  return {
    draw: async (atS = 0) => {
      await seek(video, atS);
      return { image: video, width: video.videoWidth, height: video.videoHeight };
    },
    close,
  };
};

const cut = async (opened: Opened, { size, region, atS }: WantedCrop): Promise<ImageBitmap> => {
  const { image, width, height } = await opened.draw(atS);
  const [across, down] = [width / size.width, height / size.height];
  const [w, h] = [(region.x2 - region.x1) * across, (region.y2 - region.y1) * down].map((side) =>
    Math.max(1, Math.round(side)),
  ) as [number, number];
  const resize = w > MAX_WIDTH_PX ? { resizeWidth: MAX_WIDTH_PX, resizeQuality: 'medium' as const } : {};
  return createImageBitmap(image, Math.round(region.x1 * across), Math.round(region.y1 * down), w, h, resize);
};

/** @param displayable makes an image one that browsers can decode */
export const createCropSource = (displayable: (file: File) => Promise<Blob>): CropSource => {
  const open = new Map<string, Promise<Opened>>();
  const closeOne = (id: string): void => {
    void open.get(id)?.then(
      (opened) => opened.close(),
      () => undefined, // it was never open
    );
    open.delete(id);
  };
  const opened = ({ fileId, file, atS }: WantedCrop): Promise<Opened> => {
    const one =
      open.get(fileId) ?? (atS === undefined ? displayable(file).then(openedImage) : openedVideo(file));
    // The one that was used last is closed last.
    open.delete(fileId);
    open.set(fileId, one);
    for (const oldest of open.keys()) if (open.size > MAX_OPEN) closeOne(oldest);
    return one;
  };
  /** One after another: a video has one position, and decoded images take memory. */
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  return {
    crop: (wanted) => {
      const made = last.then(async () => {
        if (isClosed) throw new Error('The list of uncertain objects was closed.');
        return cut(await opened(wanted), wanted);
      });
      last = made.catch(() => undefined);
      return made;
    },
    close: () => {
      isClosed = true;
      void last.then(() => [...open.keys()].forEach(closeOne));
    },
  };
};
