import { thresholdOf, type ModelInput } from '../../domain/manifest';
import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import { mapCorners } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import { type WantedScores, uncalibrate, calibrateDetection, rawMinimum } from '../fusion/detector-scores';
import type { RawDetection } from '../heads/head';
import { headOf } from '../heads/heads';
import { runAll } from '../runtime/in-parallel';
import { fusePasses, minForFusion, type PassDetections } from '../fusion/fuse-passes';
import {
  fitLongSide,
  fitWindows,
  stretchTo,
  undoLetterbox,
  undoLetterboxAt,
  type Letterbox,
} from '../pixels/letterbox';
import type { TileDetection } from '../fusion/merge';
import type { ObjectClass } from '../../catalogue/classes';
import type { Pyramid } from '../pixels/pyramid';
import type { LoadedModel } from '../inference/sessions';
import { toTensor } from '../inference/tensor';
import type { Tile } from '../pixels/tile';

/** A box this close to a tile's inner border, in network px, may continue beyond it. */
const BORDER_NETWORK_PX = 3;

/** What all runs of a model over an image share. */
export interface ModelRun {
  readonly pyramid: Pyramid;
  readonly model: LoadedModel;
  readonly signal: AbortSignal;
}

/** The same for a detector. */
export interface DetectorRun extends ModelRun {
  /** Raw scores. */
  readonly minimum: WantedScores;
}

/** Runs a detector once over a tile at one scale. Boxes come back in image px, scores still raw. */
export const runDetector = async (
  fit: Letterbox,
  { pyramid, model, minimum, signal }: DetectorRun,
): Promise<readonly TileDetection[]> => {
  const { head, input, labels } = model.entry;
  const { decode } = headOf(head);
  if (!decode) throw new Error(`model ${model.entry.id} is no detector`);
  const outputs = await model.run(() => {
    signal.throwIfAborted();
    return toTensor(pyramid, fit, input);
  });
  const net = { width: fit.netWidth, height: fit.netHeight };
  return decode(outputs, net, minimum, labels).map((raw) => {
    const box = undoLetterbox(raw.box, fit);
    const { objectClass, score } = raw;
    const places = { ...cornersInImage(raw, fit), ...maskInImage(raw, fit) };
    return { objectClass, score, ...places, box, cut: touchedTileBorders(box, fit, pyramid) };
  });
};

const cornersInImage = ({ corners }: RawDetection, fit: Letterbox): Pick<TileDetection, 'corners'> =>
  corners ? { corners: mapCorners(corners, (corner) => undoLetterboxAt(corner, fit)) } : {};

const maskInImage = ({ mask }: RawDetection, fit: Letterbox): Pick<TileDetection, 'masks'> => {
  if (!mask) return {};
  const [x, y] = undoLetterboxAt([mask.x, mask.y], fit);
  const { scaleX, scaleY } = mask;
  return { masks: [{ ...mask, x, y, scaleX: scaleX * fit.scaleX, scaleY: scaleY * fit.scaleY }] };
};

/** Which of a tile's inner borders a box touches. The image's own edges do not count: no other tile shows more. */
export const touchedTileBorders = (
  box: Box,
  { tile, scaleX, scaleY }: Letterbox,
  size: Size,
): TileDetection['cut'] => {
  const marginX = BORDER_NETWORK_PX / scaleX;
  const marginY = BORDER_NETWORK_PX / scaleY;
  const right = tile.x + tile.width;
  const bottom = tile.y + tile.height;
  return {
    x:
      ((tile.x > 0 || tile.wraps) && box.x1 < tile.x + marginX) ||
      ((right < size.width || tile.wraps) && box.x2 > right - marginX),
    y: (tile.y > 0 && box.y1 < tile.y + marginY) || (bottom < size.height && box.y2 > bottom - marginY),
  };
};

/**
 * Splits a box that reaches over a panorama's seam into its two halves, without corners and outlines, which are the
 * whole's. In other images a box ends at the edge.
 */
export const splitWrappedBox = (found: TileDetection, width: number, wraps: boolean): TileDetection[] => {
  const { x1, x2 } = found.box;
  if (!wraps || x2 <= width) return [found];
  const { corners, masks: _ofWhole, ...boxed } = found;
  if (x1 >= width) {
    const shifted = { ...boxed, box: { ...found.box, x1: x1 - width, x2: x2 - width } };
    return [corners ? { ...shifted, corners: mapCorners(corners, ([x, y]) => [x - width, y]) } : shifted];
  }
  return [
    { ...boxed, box: { ...found.box, x2: width } },
    { ...boxed, box: { ...found.box, x1: 0, x2: x2 - width } },
  ];
};

/** Scales closer together than this find the same objects twice. */
const MIN_SCALE_STEP = 1.4;

/**
 * The long sides, in px, to which a tile is scaled for a model: those of the manifest that enlarge the tile no more
 * than improves the model's detections.
 */
export const scalesFor = (tile: Tile, input: ModelInput): readonly number[] => {
  const limit = Math.round(Math.max(tile.width, tile.height) * (input.maxEnlargement ?? 1));
  const scales: number[] = [];
  for (const longSide of input.longSides ?? []) {
    const scale = Math.min(longSide, limit);
    if (scale >= (scales.at(-1) ?? 0) * MIN_SCALE_STEP) scales.push(scale);
  }
  return scales;
};

/** How each tile is laid into a model's input, at each of its scales. */
export const fitTiles = (tiles: readonly Tile[], input: ModelInput): readonly Letterbox[] =>
  tiles.flatMap((tile) => scalesFor(tile, input).flatMap((longSide, i) => fitTile(tile, longSide, i, input)));

const fitTile = (
  tile: Tile,
  longSide: number,
  scale: number,
  { size, isStretched, windowPx, multipleOf = 1 }: ModelInput,
): readonly Letterbox[] => {
  if (size) {
    const windows = fitWindows(tile, longSide, size);
    return isStretched ? windows.map((window) => stretchTo(window.tile, ...size)) : windows;
  }
  // The first scale is never cut into windows: objects larger than a window are found only there.
  if (windowPx !== undefined && scale > 0) return fitWindows(tile, longSide, [windowPx, windowPx]);
  return [fitLongSide(tile, longSide, multipleOf)];
};

/**
 * Maximum side, in network px, of boxes from larger scales than a tile's first. A larger object was large enough for
 * the scale before, and a huge face that only a larger scale reports is a wall or a table.
 */
const MAX_PX_AT_LARGER_SCALES: Readonly<Partial<Record<ObjectClass, number>>> = { face: 384 };

const isForScale = (
  { objectClass, box }: TileDetection,
  { scaleX, scaleY }: Letterbox,
  isFirst: boolean,
): boolean =>
  isFirst ||
  Math.max(scaleX * boxWidth(box), scaleY * boxHeight(box)) <=
    (MAX_PX_AT_LARGER_SCALES[objectClass] ?? Number.POSITIVE_INFINITY);

/** One run of a detector. */
export interface DetectorPass {
  readonly fit: Letterbox;
  /** The tile of the pass, or the tile that contains its window. */
  readonly tile: Tile;
  /** Whether it is the tile's first scale, whose boxes count at any size. */
  readonly isFirst: boolean;
}

/** The runs of a detector over tiles, at each of its scales. */
export const planPasses = (tiles: readonly Tile[], input: ModelInput): readonly DetectorPass[] =>
  tiles.flatMap((tile) => fitTiles([tile], input).map((fit, i) => ({ fit, tile, isFirst: i === 0 })));

/** Number of runs requested at once: as many as any host has inference workers, and one more that is being prepared. */
export const RUNS_AT_ONCE = 3;

/** What the passes of a detector over an image share. */
export interface DetectorSearch extends ModelRun {
  /** Calibrated. */
  readonly wanted: WantedScores;
  /** Called when a pass is done, in a cascade when a tile is done. */
  readonly onStep: () => void;
}

/**
 * Runs one pass of a detector.
 *
 * @returns candidates in image px with calibrated scores, not yet merged
 */
export const detectAt = async (
  fit: Letterbox,
  { pyramid, model, wanted, signal }: Omit<DetectorSearch, 'onStep'>,
): Promise<TileDetection[]> => {
  const { entry } = model;
  const minimum = rawMinimum(entry, wanted);
  const found = await runDetector(fit, { pyramid, model, minimum, signal });
  return found.map((raw) => calibrateDetection(raw, entry));
};

const mapScores = (
  wanted: WantedScores,
  classes: readonly ObjectClass[],
  change: (objectClass: ObjectClass, score: number) => number,
): WantedScores =>
  Object.fromEntries(
    classes.flatMap((name) => {
      const score = wanted[name];
      return score === undefined ? [] : [[name, change(name, score)]];
    }),
  );

/**
 * Runs a detector on every tile at every scale.
 *
 * @returns candidates in image px with calibrated scores: fused over the scales of each tile, not yet merged over tiles
 */
export const detect = async (
  passes: readonly DetectorPass[],
  { pyramid, model, wanted, onStep, signal }: DetectorSearch,
): Promise<TileDetection[]> => {
  const { entry } = model;
  const min = minForFusion(wanted);
  // Passes are fused in raw scores: calibration is not linear, and a mean of calibrated scores is too low.
  const own = (objectClass: ObjectClass, score: number): number =>
    uncalibrate(score, thresholdOf(entry, objectClass), objectClass);
  const runPass = async ({ fit, tile, isFirst }: DetectorPass): Promise<PassDetections> => {
    const candidates = await detectAt(fit, { pyramid, model, wanted: min, signal });
    onStep();
    const found = candidates
      .filter((one) => isForScale(one, fit, isFirst))
      .map((one) => ({ ...one, score: own(one.objectClass, one.score) }))
      .flatMap((one) => splitWrappedBox(one, pyramid.width, tile.wraps));
    return { tile, fit, found };
  };
  const detections = await runAll(
    passes.map((one) => () => runPass(one)),
    RUNS_AT_ONCE,
  );
  return fusePasses(detections, mapScores(wanted, entry.classes, own), pyramid.width).map((one) =>
    calibrateDetection(one, entry),
  );
};
