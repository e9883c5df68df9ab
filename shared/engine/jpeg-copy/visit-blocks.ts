import { BLOCK_LENGTH, BLOCK_SIDE, largestAcross, largestDown, type JpegComponent } from './jpeg-blocks';
import type { Size } from '../../domain/raster';

/** MCUs of a scan, each with its blocks. @see ITU-T T.81, A.2 */
export interface McuOrder<Component extends JpegComponent> {
  readonly count: number;
  /** Calls `visit` for each block of an MCU. @param at index of its first coefficient */
  readonly visitMcu: (mcu: number, visit: (component: Component, at: number) => void) => void;
}

/** MCUs of a scan of one component are single blocks, only of what is visible. */
const singleBlocks = <C extends JpegComponent>(component: C): McuOrder<C> => ({
  count: component.columns * component.rows,
  visitMcu: (mcu, visit) => {
    const row = Math.floor(mcu / component.columns);
    visit(component, (row * component.stride + (mcu - row * component.columns)) * BLOCK_LENGTH);
  },
});

const interleaved = <C extends JpegComponent>(
  components: readonly C[],
  columns: number,
  rows: number,
): McuOrder<C> => ({
  count: columns * rows,
  visitMcu: (mcu, visit) => {
    const row = Math.floor(mcu / columns);
    const column = mcu - row * columns;
    for (const component of components) {
      const { across, down, stride } = component;
      for (let y = 0; y < down; y++) {
        const first = (row * down + y) * stride + column * across;
        for (let x = 0; x < across; x++) visit(component, (first + x) * BLOCK_LENGTH);
      }
    }
  },
});

/** MCUs that an image has in each direction. @param components of the frame, not of a scan */
export const mcusOf = (
  { width, height }: Size,
  components: readonly JpegComponent[],
): { columns: number; rows: number } => ({
  columns: Math.ceil(width / (BLOCK_SIDE * largestAcross(components))),
  rows: Math.ceil(height / (BLOCK_SIDE * largestDown(components))),
});

/** The order in which a scan stores blocks. */
export const mcuOrder = <C extends JpegComponent>(
  scanned: readonly C[],
  mcus: { readonly columns: number; readonly rows: number },
): McuOrder<C> => {
  const [only] = scanned;
  return scanned.length === 1 && only ? singleBlocks(only) : interleaved(scanned, mcus.columns, mcus.rows);
};
