import type { Head, DetectionHead, RawDetection } from './head';
import type { Tensor } from '../../ports/inference';
import { cornerBounds, type Corner, type Corners } from '../../domain/boxes';

/** Network px per output cell. */
const STRIDE = 4;

/**
 * Decodes plates as centre points with four corners each (the head of `models/train/license-plates`).
 *
 * Outputs: peaks `[1, 1, h/4, w/4]`, 0..1, 0 where a neighbour scores higher; corners `[1, 8, h/4, w/4]`, x and y of
 * upper left, upper right, lower right, lower left, in network px from the cell's centre.
 */
const decodePlateCorners: DetectionHead = (outputs, netWidth, netHeight, minimum) => {
  const min = minimum['license-plate'];
  if (min === undefined) return [];
  const peaks = (outputs[0] as Tensor).data;
  const offsets = (outputs[1] as Tensor).data;
  const columns = netWidth / STRIDE;
  const cells = columns * (netHeight / STRIDE);
  const found: RawDetection[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const score = peaks[cell] as number;
    if (score < min) continue;
    const column = cell % columns;
    const x = (column + 0.5) * STRIDE;
    const y = ((cell - column) / columns + 0.5) * STRIDE;
    const cornerAt = (i: number): Corner => [
      x + (offsets[2 * i * cells + cell] as number),
      y + (offsets[(2 * i + 1) * cells + cell] as number),
    ];
    const corners: Corners = [cornerAt(0), cornerAt(1), cornerAt(2), cornerAt(3)];
    found.push({ objectClass: 'license-plate', score, box: cornerBounds(corners), corners });
  }
  return found;
};

export const plateCorners: Head = { role: 'detector', decode: decodePlateCorners };
