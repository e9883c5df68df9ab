import type { ModelInput } from '../../domain/manifest';
import type { Tensor } from '../../ports/inference';
import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import { cornerBounds } from '../../domain/corners';
import type { Corner, Corners } from '../../domain/detection';
import { stretchTo, undoLetterboxAt, type Letterbox } from '../pixels/letterbox';
import type { Pyramid } from '../pixels/pyramid';
import { resample } from '../pixels/resample';
import type { LoadedModel } from '../inference/sessions';
import { toTensor } from '../inference/tensor';
import { takeTensorData } from '../inference/tensor-memory';
import type { Tile } from '../pixels/tile';

/** What the network sees of a proposal, in its px (`models/train/license-plates/windows.py` has the same). */
const WINDOW = { width: 128, height: 64 } as const;
/** Larger inputs are seen as windows that are this far apart, in network px. */
const WINDOW_STEP = 16;
/** A window is this much wider than its proposal, so that one that sits badly still shows the whole plate. */
const ENLARGED = 1.8;
/** Proposals are looked at as if they were at least this wide, in image px. */
const MIN_WIDTH = 2;
/** Windows in one run: enough to fill two threads, 2.4 MB of input. */
const BATCH = 24;
const WINDOW_VALUES = 3 * WINDOW.width * WINDOW.height;

/** What the network says of one window: whether there is a plate, and where, in image px. */
export interface PlateReading {
  /** Raw, 0..1. */
  readonly score: number;
  readonly corners: Corners;
  /** Around the corners. */
  readonly box: Box;
}

/** The window that a proposal is looked at through. @param wraps the picture goes on at its other side */
export const windowAround = (box: Box, wraps: boolean): Tile => {
  const proportion = WINDOW.width / WINDOW.height;
  const width = ENLARGED * Math.max(boxWidth(box), proportion * boxHeight(box), MIN_WIDTH);
  const height = width / proportion;
  return { x: (box.x1 + box.x2 - width) / 2, y: (box.y1 + box.y2 - height) / 2, width, height, wraps };
};

/**
 * Reads one window of the network's outputs (its layout: `models/CARDS.md`).
 *
 * @param cell the window's place in the map of a picture that was read as one
 */
const readWindow = (
  [plate, corners]: readonly Tensor[],
  picture: number,
  cell: number,
  fit: Letterbox,
): PlateReading => {
  const { data, dims } = plate as Tensor;
  const columns = dims[3] as number;
  const cells = (dims[2] as number) * columns;
  const column = cell % columns;
  const x = WINDOW.width / 2 + column * WINDOW_STEP;
  const y = WINDOW.height / 2 + ((cell - column) / columns) * WINDOW_STEP;
  const values = (corners as Tensor).data;
  const value = (plane: number): number => values[(picture * 8 + plane) * cells + cell] as number;
  const cornerAt = (i: number): Corner => undoLetterboxAt([x + value(2 * i), y + value(2 * i + 1)], fit);
  const inImage: Corners = [cornerAt(0), cornerAt(1), cornerAt(2), cornerAt(3)];
  return { score: data[picture * cells + cell] as number, corners: inImage, box: cornerBounds(inImage) };
};

/** @returns float32 `[windows, 3, 64, 128]`, as `toTensor` makes one picture */
const toBatch = (pyramid: Pyramid, fits: readonly Letterbox[], input: ModelInput): Tensor => {
  const data = takeTensorData(fits.length * WINDOW_VALUES);
  fits.forEach((fit, i) =>
    resample(pyramid, fit, input, data.subarray(i * WINDOW_VALUES, (i + 1) * WINDOW_VALUES)),
  );
  return { data, dims: [fits.length, 3, WINDOW.height, WINDOW.width] };
};

/** Looks through windows, many in one run. @returns a sighting for each window, in their order */
export const scoreWindows = async (
  pyramid: Pyramid,
  windows: readonly Tile[],
  model: LoadedModel,
  signal: AbortSignal,
): Promise<PlateReading[]> => {
  const readings: PlateReading[] = [];
  for (let start = 0; start < windows.length; start += BATCH) {
    const fits = windows
      .slice(start, start + BATCH)
      .map((window) => stretchTo(window, WINDOW.width, WINDOW.height));
    const outputs = await model.run(() => {
      signal.throwIfAborted();
      return toBatch(pyramid, fits, model.entry.input);
    });
    readings.push(...fits.map((fit, i) => readWindow(outputs, i, 0, fit)));
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
 * Looks at a part of the picture through every window in it, in one run: a fortieth of what the windows would take
 * one by one.
 *
 * @param min raw score
 * @returns the sightings that no neighbouring window's outdoes
 */
export const scan = async (
  pyramid: Pyramid,
  fit: Letterbox,
  model: LoadedModel,
  min: number,
  signal: AbortSignal,
): Promise<PlateReading[]> => {
  const { netWidth, netHeight } = fit;
  if (netWidth < WINDOW.width || netHeight < WINDOW.height) return [];
  const outputs = await model.run(() => {
    signal.throwIfAborted();
    return toTensor(pyramid, fit, model.entry.input);
  });
  const plate = outputs[0] as Tensor;
  const readings: PlateReading[] = [];
  plate.data.forEach((score, cell) => {
    if (score >= min && isPeak(plate, cell)) readings.push(readWindow(outputs, 0, cell, fit));
  });
  return readings;
};
