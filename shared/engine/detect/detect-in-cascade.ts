import type { Refinement } from '../../domain/manifest';
import { boxArea } from '../../domain/boxes';
import { type CascadeScale, coverWindows, cutTile } from './cascade-windows';
import {
  touchedTileBorders,
  RUNS_AT_ONCE,
  runDetector,
  splitWrappedBox,
  type DetectorSearch,
  type DetectorRun,
} from './detect';
import { calibrateDetection, rawMinimum } from '../fusion/detector-scores';
import { fuseScales, type ScaleDetections } from '../fusion/fuse-passes';
import { runAll } from '../runtime/in-parallel';
import { fitAtScale, type Letterbox } from '../pixels/letterbox';
import { type TileDetection, suppress } from '../fusion/merge';
import type { Pyramid } from '../pixels/pyramid';
import type { Tile } from '../pixels/tile';

/** Boxes of one pass that overlap this much are one object: a network reports each several times. */
const SAME_IN_PASS = { iou: 0.35, inside: 1 } as const;

/** What all passes of a cascade share. */
interface Cascade extends DetectorRun {
  readonly refinement: Refinement;
}

/** A box cut by a window's edge is whole in another pass; one cut by the tile's own edge is not. */
const isWholeOrTilesOwn = (one: TileDetection, tile: Tile, fit: Letterbox, pyramid: Pyramid): boolean => {
  if (!one.cut.x && !one.cut.y) return true;
  const ofTile = touchedTileBorders(one.box, { ...fit, tile }, pyramid);
  return one.cut.x === ofTile.x && one.cut.y === ofTile.y;
};

const runPass = async (
  tile: Tile,
  window: Tile,
  scale: number,
  cascade: Cascade,
): Promise<ScaleDetections> => {
  const fit = fitAtScale(window, scale, cascade.model.entry.input.multipleOf ?? 1);
  const found = await runDetector(fit, cascade);
  const usable = found.filter((one) => isWholeOrTilesOwn(one, tile, fit, cascade.pyramid));
  return { fit, found: suppress(usable, SAME_IN_PASS) };
};

/** The boxes that a finer pass may change: small and doubtful ones. */
const proposalsOf = (
  passes: readonly ScaleDetections[],
  scale: number,
  { minScore, smallPx, doubtfulPx, confidentScore }: Refinement,
): TileDetection[] =>
  fuseScales(passes).filter(({ score, box }) => {
    if (score < minScore) return false;
    const sidePx = Math.sqrt(boxArea(box)) * scale;
    return sidePx < (score < confidentScore ? doubtfulPx : smallPx);
  });

/** All passes over one tile, from coarse to fine. */
const detectInTile = async (
  tile: Tile,
  scales: readonly CascadeScale[],
  cascade: Cascade,
): Promise<readonly TileDetection[]> => {
  const passes: ScaleDetections[] = [];
  let coarser = 0;
  for (const { longSide, coverage, maxWindowPx } of scales) {
    const scale = longSide / Math.max(tile.width, tile.height);
    const boxes = coverage === 'all' ? [] : proposalsOf(passes, coarser, cascade.refinement);
    const windows =
      coverage === 'all'
        ? cutTile(tile, scale, maxWindowPx)
        : coverWindows(
            tile,
            scale,
            boxes.map(({ box }) => box),
            maxWindowPx,
          );
    const runs = windows.map((window) => () => runPass(tile, window, scale, cascade));
    passes.push(...(await runAll(runs, RUNS_AT_ONCE)));
    coarser = scale;
  }
  return fuseScales(passes);
};

/** A tile and its scales. */
export interface TileCascade {
  readonly tile: Tile;
  readonly scales: readonly CascadeScale[];
}

/**
 * Runs a detector from coarse to fine: the first scales search the whole tile, the finer ones only windows around small
 * or doubtful detections. A photo with few objects then costs little more than one pass, and a crowd is searched as
 * closely as by a pass over everything.
 *
 * @returns candidates in image px with calibrated scores: one for each object of a tile, not yet merged over tiles
 */
export const detectInCascade = async (
  tiles: readonly TileCascade[],
  { pyramid, model, wanted, onStep, signal }: DetectorSearch,
): Promise<TileDetection[]> => {
  const { entry } = model;
  const { refinement } = entry;
  if (!refinement) throw new Error(`model ${entry.id} does not say when a finer pass is worth its time`);
  const asked = rawMinimum(entry, wanted);
  const minimum = Object.fromEntries(
    Object.entries(asked).map(([name, score]) => [name, Math.min(score, refinement.minScore)]),
  );
  const cascade: Cascade = { pyramid, model, refinement, minimum, signal };
  const found: TileDetection[] = [];
  for (const { tile, scales } of tiles) {
    const ofTile = await detectInTile(tile, scales, cascade);
    onStep();
    for (const one of ofTile) {
      if (one.score < (asked[one.objectClass] ?? Infinity)) continue;
      found.push(...splitWrappedBox(calibrateDetection(one, entry), pyramid.width, tile.wraps));
    }
  }
  return found;
};
