import type { Tensor } from '../../ports/inference';
import type { DetectionHead, RawDetection } from './detection-head';

/** Network px per output cell. */
const STRIDE = 4;

/**
 * CenterFace (Xu et al. 2019, arXiv:1911.03599), faces as centres.
 *
 * Outputs: heat map `[1, 1, h/4, w/4]`, 0..1; logarithm of height and width in cells `[1, 2, …]`; offset of the centre
 * down and to the right from the cell's middle, in cells, `[1, 2, …]`. Maxima are not picked: merging does it.
 */
export const decodeCenterFace: DetectionHead = (outputs, netWidth, netHeight, minimum) => {
  const min = minimum.face;
  if (min === undefined) return [];
  const [heat, scale, offset] = outputs.map(({ data }: Tensor) => data) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const columns = netWidth / STRIDE;
  const cells = columns * (netHeight / STRIDE);
  const found: RawDetection[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const score = heat[cell] as number;
    if (!(score >= min)) continue;
    const column = cell % columns;
    const row = (cell - column) / columns;
    const y = (row + (offset[cell] as number) + 0.5) * STRIDE;
    const x = (column + (offset[cells + cell] as number) + 0.5) * STRIDE;
    const halfHeight = (Math.exp(scale[cell] as number) * STRIDE) / 2;
    const halfWidth = (Math.exp(scale[cells + cell] as number) * STRIDE) / 2;
    found.push({
      objectClass: 'face',
      score,
      box: { x1: x - halfWidth, y1: y - halfHeight, x2: x + halfWidth, y2: y + halfHeight },
    });
  }
  return found;
};
