import type { Area, Size } from '../../domain/raster';
import { viewOf } from './bytes';
import { FULL_BOX_BYTES, looseBoxesIn, type Mp4Box } from './mp4-boxes';

/** Bytes of version, flags and number of the descriptions of a track. */
const HEAD_BYTES = FULL_BOX_BYTES + 4;
/** Bytes of the description of images before the boxes in it. */
const ENTRY_BYTES = 78;
/** Boxes that announce a second view: the configuration of its layer, and what eyes see. */
const SECOND_VIEW = ['lhvC', 'vexu'];

/** A clean aperture as `clap` states it: sizes, and the distance of its centre from that of the frame, in px. */
export interface Aperture extends Size {
  readonly right: number;
  readonly down: number;
}

/** What the first description of a track says of its images. */
export interface SampleEntry {
  readonly aperture?: Aperture;
  /** Whether the samples also contain the view of another eye (MV-HEVC). Decoders leave it out. */
  readonly hasSecondView: boolean;
}

const FRACTIONS = 4;

const readAperture = (bytes: Uint8Array, { start, end }: Mp4Box): Aperture | undefined => {
  if (end - start < FRACTIONS * 8) return undefined;
  const view = viewOf(bytes);
  const fraction = (i: number): number => view.getInt32(start + 8 * i) / view.getInt32(start + 8 * i + 4);
  return { width: fraction(0), height: fraction(1), right: fraction(2), down: fraction(3) };
};

/** @param stsd the box */
export const readSampleEntry = (bytes: Uint8Array, { start, end }: Mp4Box): SampleEntry => {
  const [entry] = looseBoxesIn(bytes, start + HEAD_BYTES, end);
  if (!entry) return { hasSecondView: false };
  const boxes = [...looseBoxesIn(bytes, entry.start + ENTRY_BYTES, entry.end)];
  const clap = boxes.find(({ type }) => type === 'clap');
  const aperture = clap && readAperture(bytes, clap);
  const hasSecondView = boxes.some(({ type }) => SECOND_VIEW.includes(type));
  return { hasSecondView, ...(aperture && { aperture }) };
};

/** The part of coded frames that an aperture shows; undefined: all of them, also where the aperture is no such part. */
export const apertureIn = (coded: Size, aperture: Aperture | undefined): Area | undefined => {
  if (!aperture) return undefined;
  const { width, height, right, down } = aperture;
  const left = (coded.width - width) / 2 + right;
  const top = (coded.height - height) / 2 + down;
  const isPart = left >= 0 && top >= 0 && left + width <= coded.width && top + height <= coded.height;
  const isWhole = [left, top, width, height].every(Number.isInteger) && width > 0 && height > 0;
  return isPart && isWhole ? { left, top, width, height } : undefined;
};
