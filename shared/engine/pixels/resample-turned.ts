import type { ModelInput } from '../../domain/manifest';

import { RGBA, type Raster } from '../../domain/raster';
import type { Letterbox } from './letterbox';
import type { Pyramid } from './pyramid';
import { levelFor, PLANES } from './resample';
import { around, within } from './positions';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Writes one row of a turned tile: bilinear, from a source position that moves by a step for each px. */
const writeRow = (
  { data, width, height }: Raster,
  { start, step }: { readonly start: Point; readonly step: Point },
  column: (index: number, length: number) => number,
  planes: readonly [Float32Array, Float32Array, Float32Array],
): void => {
  let { x, y } = start;
  for (let i = 0; i < planes[0].length; i++) {
    const left = Math.floor(x);
    const upper = Math.floor(y);
    const shareX = x - left;
    const shareY = y - upper;
    const near = RGBA * column(left, width);
    const far = RGBA * column(left + 1, width);
    const above = RGBA * width * within(upper, height);
    const below = RGBA * width * within(upper + 1, height);
    const upperLeft = (1 - shareX) * (1 - shareY);
    const upperRight = shareX * (1 - shareY);
    const lowerLeft = (1 - shareX) * shareY;
    const lowerRight = shareX * shareY;
    for (let channel = 0; channel < planes.length; channel++) {
      (planes[channel] as Float32Array)[i] =
        upperLeft * (data[above + near + channel] as number) +
        upperRight * (data[above + far + channel] as number) +
        lowerLeft * (data[below + near + channel] as number) +
        lowerRight * (data[below + far + channel] as number);
    }
    x += step.x;
    y += step.y;
  }
};

/**
 * Scales a tile that is turned about its centre into a network's input planes, normalised: bilinear, from the smallest
 * level of the pyramid that has at least the target's resolution.
 *
 * @param fit with the angle, clockwise in the image, in radians
 * @param out float32 `[3, netHeight, netWidth]`; the tile fills it
 */
export const resampleTurned = (
  pyramid: Pyramid,
  { tile, scaleX, scaleY, netWidth, netHeight, angle }: Letterbox & { readonly angle: number },
  { mean, std, channels = 'rgb' }: Pick<ModelInput, 'mean' | 'std' | 'channels'>,
  out: Float32Array,
): void => {
  const level = levelFor(Math.max(scaleX, scaleY));
  const source = pyramid.level(level);
  const [cos, sin] = [Math.cos(angle) / 2 ** level, Math.sin(angle) / 2 ** level];
  const centre = { x: (tile.x + tile.width / 2) / 2 ** level, y: (tile.y + tile.height / 2) / 2 ** level };
  const cells = netWidth * netHeight;
  const planes = PLANES[channels].map((plane) => out.subarray(plane * cells, (plane + 1) * cells));
  const right = 0.5 / scaleX - tile.width / 2;
  const step = { x: cos / scaleX, y: sin / scaleX };
  for (let y = 0; y < netHeight; y++) {
    const down = (y + 0.5) / scaleY - tile.height / 2;
    const row = (plane: number): Float32Array =>
      (planes[plane] as Float32Array).subarray(y * netWidth, (y + 1) * netWidth);
    const start = {
      x: centre.x + cos * right - sin * down - 0.5,
      y: centre.y + sin * right + cos * down - 0.5,
    };
    writeRow(source, { start, step }, tile.wraps ? around : within, [row(0), row(1), row(2)]);
  }
  planes.forEach((plane, channel) => {
    const [shift, factor] = [mean[channel] as number, 1 / (std[channel] as number)];
    for (let i = 0; i < cells; i++) plane[i] = ((plane[i] as number) - shift) * factor;
  });
};
