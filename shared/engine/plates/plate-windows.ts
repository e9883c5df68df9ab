import { plateSettingsOf, type ModelInput, type PlateSettings } from '../../domain/manifest';
import type { Tensor } from '../../ports/inference';
import { type Box, boxHeight, boxWidth, growBox } from '../../domain/boxes';
import { type Corner, type Corners, cornerBounds, mapCorners, rotateAround } from '../../domain/detection';
import { stretchTo, undoLetterboxAt, type Letterbox } from '../pixels/letterbox';
import type { Pyramid } from '../pixels/pyramid';
import { resample } from '../pixels/resample';
import { resampleTurned } from '../pixels/resample-turned';
import { toTensor, takeTensorData } from '../inference/tensor';
import type { Tile } from '../pixels/tile';
import type { ModelRun } from '../detect/detect';

/** Minimum width of a proposal for its window, in image px. */
const MIN_WIDTH = 2;
/** Number of windows in one run: enough to fill two threads, 2.4 MB of input. */
const BATCH = 24;
type PlateWindow = PlateSettings['window'];

/** A window of the classifier, which may be turned about its centre. */
export interface PlateView extends Tile {
  /** Clockwise in the image, in radians. */
  readonly angle: number;
}

/** The classifier's output for one window: score, and place in image px. */
export interface PlateReading {
  /** Raw, 0..1. */
  readonly score: number;
  readonly corners: Corners;
  /** Around the corners. */
  readonly box: Box;
  /** Of its window. */
  readonly angle: number;
}

/** The classifier's window around a proposal. @param wraps whether the image continues at its other side */
export const windowAround = (
  box: Box,
  { widthPx, heightPx, enlargement }: PlateWindow,
  wraps: boolean,
): Tile => {
  const proportion = widthPx / heightPx;
  const width = enlargement * Math.max(boxWidth(box), proportion * boxHeight(box), MIN_WIDTH);
  const height = width / proportion;
  return { x: (box.x1 + box.x2 - width) / 2, y: (box.y1 + box.y2 - height) / 2, width, height, wraps };
};

const centreOf = ({ x, y, width, height }: Tile): Corner => [x + width / 2, y + height / 2];

/** The classifier's window around a reading, at the reading's angle. @param width factor on the reading's width */
export const viewOn = (
  { corners, angle }: Pick<PlateReading, 'corners' | 'angle'>,
  width: number,
  window: PlateWindow,
  wraps: boolean,
): PlateView => {
  const { x1, y1, x2, y2 } = cornerBounds(corners);
  const middle: Corner = [(x1 + x2) / 2, (y1 + y2) / 2];
  const level = cornerBounds(mapCorners(corners, (corner) => rotateAround(corner, middle, -angle)));
  const tile = windowAround(growBox(level, (width - 1) / 2), window, wraps);
  const [x, y] = rotateAround(centreOf(tile), middle, angle);
  return { ...tile, x: x - tile.width / 2, y: y - tile.height / 2, angle };
};

/** A window of the network's outputs, and where it is in the image. */
interface OutputWindow {
  /** Index of the window in the batch; 0 for a sliding window. */
  readonly item: number;
  /** Index of the window in the output map of a sliding window; 0 for a single window. */
  readonly cell: number;
  readonly fit: Letterbox;
  readonly angle: number;
}

/** Reads one window of the network's outputs (its layout: `models/CARDS.md`). */
const readWindow = (
  [plate, corners]: readonly Tensor[],
  { item, cell, fit, angle }: OutputWindow,
  { widthPx, heightPx, stepPx }: PlateWindow,
): PlateReading => {
  const { data, dims } = plate as Tensor;
  const columns = dims[3] as number;
  const cells = (dims[2] as number) * columns;
  const column = cell % columns;
  const x = widthPx / 2 + column * stepPx;
  const y = heightPx / 2 + ((cell - column) / columns) * stepPx;
  const values = (corners as Tensor).data;
  const value = (plane: number): number => values[(item * 8 + plane) * cells + cell] as number;
  const cornerAt = (i: number): Corner => {
    const level = undoLetterboxAt([x + value(2 * i), y + value(2 * i + 1)], fit);
    return angle === 0 ? level : rotateAround(level, centreOf(fit.tile), angle);
  };
  const inImage: Corners = [cornerAt(0), cornerAt(1), cornerAt(2), cornerAt(3)];
  return { score: data[item * cells + cell] as number, corners: inImage, box: cornerBounds(inImage), angle };
};

/** @returns float32 `[windows, 3, height, width]`, each window normalised as by `toTensor` */
const toBatch = (
  pyramid: Pyramid,
  fits: readonly Pick<OutputWindow, 'fit' | 'angle'>[],
  input: ModelInput,
  { widthPx, heightPx }: PlateWindow,
): Tensor => {
  const values = 3 * widthPx * heightPx;
  const data = takeTensorData(fits.length * values);
  fits.forEach(({ fit, angle }, i) => {
    const planes = data.subarray(i * values, (i + 1) * values);
    if (angle === 0) resample(pyramid, fit, input, planes);
    else resampleTurned(pyramid, { ...fit, angle }, input, planes);
  });
  return { data, dims: [fits.length, 3, heightPx, widthPx] };
};

/** Runs the classifier on windows, many in one run. @returns a reading for each window, in their order */
export const scoreWindows = async (
  windows: readonly (Tile & Partial<PlateView>)[],
  { pyramid, model, signal }: ModelRun,
): Promise<PlateReading[]> => {
  const { window } = plateSettingsOf(model.entry);
  const readings: PlateReading[] = [];
  for (let start = 0; start < windows.length; start += BATCH) {
    const fits = windows.slice(start, start + BATCH).map(({ angle = 0, ...tile }) => ({
      fit: stretchTo(tile, window.widthPx, window.heightPx),
      angle,
    }));
    const outputs = await model.run(() => {
      signal.throwIfAborted();
      return toBatch(pyramid, fits, model.entry.input, window);
    });
    readings.push(...fits.map((one, item) => readWindow(outputs, { ...one, item, cell: 0 }, window)));
  }
  return readings;
};

/** Whether no neighbour of a cell scores higher. */
const isPeak = ({ data, dims }: Tensor, cell: number): boolean => {
  const [rows, columns] = [dims[2] as number, dims[3] as number];
  const column = cell % columns;
  const row = (cell - column) / columns;
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      if ((data[y * columns + x] as number) > (data[cell] as number)) return false;
    }
  }
  return true;
};

/**
 * Runs the classifier as a sliding window over a part of the image, in one run, which takes 1/40 of the time of single
 * windows.
 *
 * @param min raw score
 * @returns the readings at local maxima of the score
 */
export const scan = async (
  fit: Letterbox,
  { pyramid, model, signal }: ModelRun,
  min: number,
): Promise<PlateReading[]> => {
  const { netWidth, netHeight } = fit;
  const { window } = plateSettingsOf(model.entry);
  if (netWidth < window.widthPx || netHeight < window.heightPx) return [];
  const outputs = await model.run(() => {
    signal.throwIfAborted();
    return toTensor(pyramid, fit, model.entry.input);
  });
  const plate = outputs[0] as Tensor;
  const readings: PlateReading[] = [];
  plate.data.forEach((score, cell) => {
    if (!(score >= min && isPeak(plate, cell))) return;
    readings.push(readWindow(outputs, { item: 0, cell, fit, angle: 0 }, window));
  });
  return readings;
};
