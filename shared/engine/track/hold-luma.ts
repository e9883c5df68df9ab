import type { LumaRaster, Raster } from '../../domain/raster';
import type { FrameHolding, VideoFrame } from '../../ports/video';
import { lumaRaster } from '../motion/sample-luma';

/** Replaces the pixels of a frame, so that whoever draws into it or writes it fails. */
const NO_PIXELS: Raster = { width: 0, height: 0, data: new Uint8Array(0) };

/**
 * Holds frames back as their luma, a quarter of their memory, for good: for frames that are decoded again when they are
 * written.
 */
export const holdLuma = (): FrameHolding => {
  const held = new WeakMap<VideoFrame, LumaRaster>();
  return {
    park: (frame) => {
      held.set(frame, lumaRaster(frame.raster));
      Object.assign(frame, { raster: NO_PIXELS } satisfies Partial<VideoFrame>);
    },
    pixelsOf: (frame) => held.get(frame) ?? frame.raster,
  };
};
