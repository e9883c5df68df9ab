import type { Raster } from '../domain/raster';
import type { FrameParking, VideoFrame } from '../ports/video';
import type { BufferPool } from './sample-raster';

/** What a frame is made from. */
export interface FrameSource {
  /** Makes the pixels again, the same. */
  restore(): Raster;
  /** Called when they are not made again any more. */
  drop(): void;
}

/** Replaces the pixels of a frame whose memory will soon hold another one, so that redacting or writing it fails. */
const NO_PIXELS: Raster = { width: 0, height: 0, data: new Uint8Array(0) };

const setRaster = (frame: VideoFrame, raster: Raster): void =>
  void Object.assign(frame, { raster } satisfies Pick<VideoFrame, 'raster'>);

interface ParkedFrames extends FrameParking {
  /** Takes a frame that can be parked. */
  keep(frame: VideoFrame, source: FrameSource): void;
  /** Takes back a frame that is not needed any more. */
  release(frame: VideoFrame): void;
}

/** @param pixels the memory of the frames */
export const createParkedFrames = (pixels: BufferPool): ParkedFrames => {
  const sources = new WeakMap<VideoFrame, FrameSource>();
  const parked = new WeakSet<VideoFrame>();
  /** The parked frame whose pixels were asked for last. */
  let seen: { readonly frame: VideoFrame; readonly raster: Raster } | undefined;
  const giveBack = ({ data }: Raster): void => pixels.give(data.buffer as ArrayBuffer);
  const takePixels = (frame: VideoFrame): void => {
    const { raster } = frame;
    setRaster(frame, NO_PIXELS);
    giveBack(raster);
  };
  const restored = (frame: VideoFrame, source: FrameSource): Raster => {
    if (seen?.frame !== frame) return source.restore();
    const { raster } = seen;
    seen = undefined;
    return raster;
  };
  const unpark = (frame: VideoFrame): void => {
    const source = sources.get(frame);
    if (!source) return;
    // Whatever is drawn into the pixels from now on must stay: they are never made again.
    sources.delete(frame);
    if (parked.delete(frame)) setRaster(frame, restored(frame, source));
    source.drop();
  };
  return {
    keep: (frame, source) => void sources.set(frame, source),
    park: (frame) => {
      if (!sources.has(frame) || parked.has(frame)) return;
      parked.add(frame);
      takePixels(frame);
    },
    pixelsOf: (frame) => {
      const source = parked.has(frame) ? sources.get(frame) : undefined;
      if (!source) return frame.raster;
      if (seen?.frame === frame) return seen.raster;
      if (seen) giveBack(seen.raster);
      seen = { frame, raster: source.restore() };
      return seen.raster;
    },
    unpark,
    release: (frame) => {
      unpark(frame);
      takePixels(frame);
    },
  };
};
