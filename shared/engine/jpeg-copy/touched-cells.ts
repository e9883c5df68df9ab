import { boxWidth } from '../../domain/boxes';
import type { Size } from '../../domain/raster';
import type { Coverage } from '../redact/coverage';
import { BLOCK_SIDE } from './jpeg-blocks';

/** Which cells of 8 × 8 pixels redaction may have changed. */
export interface TouchedCells {
  /** Notes what a region covers. */
  readonly draw: (coverage: Coverage) => void;
  /** Whether one of the cells from column `x` and row `y` on is touched. */
  readonly isTouched: (x: number, y: number, columns: number, rows: number) => boolean;
}

/** Cells that the edge of the image cuts are touched from the beginning: what lies behind the edge was cut away by someone. */
export const createTouchedCells = ({ width, height }: Size): TouchedCells => {
  const [columns, rows] = [Math.ceil(width / BLOCK_SIDE), Math.ceil(height / BLOCK_SIDE)];
  const cells = new Uint8Array(columns * rows);
  if (height % BLOCK_SIDE > 0) cells.fill(1, (rows - 1) * columns);
  if (width % BLOCK_SIDE > 0) for (let y = 1; y <= rows; y++) cells[y * columns - 1] = 1;
  return {
    draw: ({ box, alpha }) => {
      const across = boxWidth(box);
      for (let y = box.y1; y < box.y2; y++) {
        const row = (y - box.y1) * across;
        const cell = Math.floor(y / BLOCK_SIDE) * columns;
        for (let x = 0; x < across; x++) {
          if (alpha[row + x] !== 0) cells[cell + Math.floor((box.x1 + x) / BLOCK_SIDE)] = 1;
        }
      }
    },
    isTouched: (x, y, across, down) => {
      for (let row = y; row < Math.min(y + down, rows); row++) {
        for (let column = x; column < Math.min(x + across, columns); column++) {
          if (cells[row * columns + column] !== 0) return true;
        }
      }
      return false;
    },
  };
};
