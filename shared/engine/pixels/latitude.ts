import { clamp } from '../../domain/clamp';
import type { Box } from '../../domain/boxes';

/** Half a degree from the pole; nearer to it, a panorama shows one point over its whole width. */
const MIN_COSINE = Math.sin(Math.PI / 360);

/** How many times as wide as at the equator an equirectangular panorama shows things: 1 / cos(latitude). */
const stretchAt = (y: number, height: number): number =>
  1 / Math.max(MIN_COSINE, Math.sin((Math.PI * clamp(y, 0, height)) / height));

/** The stretch at the end of a box that is nearer to a pole. */
export const largestStretch = ({ y1, y2 }: Box, height: number): number =>
  Math.max(stretchAt(y1, height), stretchAt(y2, height));

/** The stretch in the middle of a box. */
export const middleStretch = ({ y1, y2 }: Box, height: number): number => stretchAt((y1 + y2) / 2, height);

/** How much wider an object may be at the end of its box nearer to a pole than in its middle; at least 1. */
export const wideningOf = (box: Box, height: number): number =>
  largestStretch(box, height) / middleStretch(box, height);
