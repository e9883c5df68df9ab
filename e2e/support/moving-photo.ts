import sharp from 'sharp';
import type { Raster, Size } from '#shared/domain/raster';
import type { Pixels } from './pixels';

/** A view that moves over a photo: persons move from right to left, and stay in view. */
export interface MovingView {
  readonly size: Size;
  readonly frames: number;
  /** Movement per frame. */
  readonly stepPx: number;
}

const frameOf = async (
  photo: Uint8Array,
  { size, frames, stepPx }: MovingView,
  index: number,
): Promise<Raster> => {
  const data = await sharp(photo)
    .resize(size.width + frames * stepPx, size.height, { fit: 'cover' })
    .extract({ left: index * stepPx, top: 0, ...size })
    .ensureAlpha()
    .raw()
    .toBuffer();
  return { ...size, data };
};

/** The frames that the view shows of a photo. */
export const movingPhoto = (photo: Uint8Array, view: MovingView): Promise<Raster[]> =>
  Promise.all(Array.from({ length: view.frames }, (_, index) => frameOf(photo, view, index)));

export const withoutAlpha = ({ width, height, data }: Raster): Pixels => ({
  width,
  height,
  data: Uint8Array.from(data).filter((_, index) => index % 4 !== 3),
});
