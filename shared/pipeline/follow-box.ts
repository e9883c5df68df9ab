import { boxHeight, boxWidth, growBox, unionBox, type Box } from './boxes';
import {
  correctMotion,
  motionBox,
  motionDeviation,
  predictMotion,
  startMotion,
  type BoxMotion,
} from './kalman';
import {
  correlate,
  cutGrid,
  findTemplate,
  makeTemplate,
  sampleLuma,
  type LumaGrid,
  type Template,
} from './match-template';
import type { Raster } from './raster';
import { FOLLOWING, TRACKING } from './track-limits';
import { isWithin, secondsBetween, type Moment } from './track-model';

/** Follows what lies in one box from frame to frame, by its pattern alone. */
export interface BoxFollower {
  /** Takes the next frame. @returns what to hide in it; undefined once it has been lost for too long, for ever */
  step(raster: Raster, moment: Moment): Box | undefined;
  /** Whether it was recognised in the last frame. */
  isSeen(): boolean;
}

/** How the pattern is read: box and cells, so that positions in one are positions in the other. */
interface Pattern {
  readonly columns: number;
  readonly rows: number;
  /** Its sides over the drawn box's: of small boxes some of what is around them is looked for, too. */
  readonly grown: { readonly x: number; readonly y: number };
  /** As it was drawn. */
  readonly first: Template;
  /** As it looked of late: things turn, and light changes. */
  readonly recent: LumaGrid;
}

interface State {
  pattern: Pattern;
  motion: BoxMotion;
  /** Where and when it was recognised last. */
  seen: { readonly box: Box; readonly moment: Moment };
  last: Moment;
  isSeen: boolean;
}

const centreOf = ({ x1, y1, x2, y2 }: Box) => ({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 });

/** So many px a cell has, so that the pattern has enough cells both ways, and not too many. */
const cellOf = (width: number, height: number): number => {
  const { cells, leastCells, mostCells } = FOLLOWING;
  const [longer, shorter] = [Math.max(width, height), Math.min(width, height)];
  return Math.max(1, longer / mostCells, Math.min(longer / cells, shorter / leastCells));
};

const drawPattern = (raster: Raster, box: Box): Pattern | undefined => {
  const width = Math.max(boxWidth(box), FOLLOWING.leastPx);
  const height = Math.max(boxHeight(box), FOLLOWING.leastPx);
  const columns = Math.round(width / cellOf(width, height));
  const stepPx = width / columns;
  const rows = Math.round(height / stepPx);
  const { x, y } = centreOf(box);
  const [left, top] = [x - (columns * stepPx) / 2, y - (rows * stepPx) / 2];
  const recent = sampleLuma(raster, left, top, stepPx, columns, rows);
  const first = makeTemplate(recent);
  const grown = { x: width / boxWidth(box), y: height / boxHeight(box) };
  return first && { columns, rows, grown, first, recent };
};

interface Found {
  readonly box: Box;
  readonly score: number;
  readonly looks: LumaGrid;
}

/** Looks for the pattern at one size around where it is expected. */
const searchAt = (
  raster: Raster,
  { pattern: { columns, rows, grown, first, recent } }: State,
  expected: Box,
  reach: number,
  scale: number,
): Found => {
  const width = boxWidth(expected) * scale;
  const height = boxHeight(expected) * scale;
  // One step for both ways: the pattern's cells stay squares.
  const stepPx = Math.max(0.5, (width * grown.x) / columns);
  const margin = Math.ceil((reach * Math.max(width, height)) / stepPx);
  const { x, y } = centreOf(expected);
  const [left, top] = [
    x - (columns * stepPx) / 2 - margin * stepPx,
    y - (rows * stepPx) / 2 - margin * stepPx,
  ];
  const grid = sampleLuma(raster, left, top, stepPx, columns + 2 * margin, rows + 2 * margin);
  const templates = [first, makeTemplate(recent) ?? first];
  const { column, row, score } = findTemplate(templates, grid);
  const cx = left + (column + columns / 2) * stepPx;
  const cy = top + (row + rows / 2) * stepPx;
  return {
    box: { x1: cx - width / 2, y1: cy - height / 2, x2: cx + width / 2, y2: cy + height / 2 },
    score,
    looks: cutGrid(grid, Math.round(column), Math.round(row), { columns, rows }),
  };
};

/** How far to look, in the box's longer sides. */
const reachOf = (motion: BoxMotion, expected: Box, isSeen: boolean): number => {
  const deviation = motionDeviation(motion);
  const unsure = (3 * Math.max(deviation.x, deviation.y)) / Math.max(boxWidth(expected), boxHeight(expected));
  const { reach, mostReach } = FOLLOWING;
  return Math.min(mostReach, Math.max(isSeen ? reach : 2 * reach, unsure));
};

const search = (raster: Raster, state: State, expected: Box): Found => {
  const reach = reachOf(state.motion, expected, state.isSeen);
  const { scaleStep, scaleCost } = FOLLOWING;
  const same = searchAt(raster, state, expected, reach, 1);
  const others = [1 / scaleStep, scaleStep].map((scale) => searchAt(raster, state, expected, reach, scale));
  return others.reduce((best, one) => (one.score - scaleCost > best.score ? one : best), same);
};

/** Mixes in how it looks now, cautiously: what covers it for a moment must not become it. */
const refresh = (pattern: Pattern, { looks, score }: Found): Pattern => {
  const { refreshScore, refreshLikeness, refreshShare } = FOLLOWING;
  if (score < refreshScore || correlate(pattern.first, looks) < refreshLikeness) return pattern;
  const values = pattern.recent.values.map(
    (old, i) => old + refreshShare * ((looks.values[i] as number) - old),
  );
  return { ...pattern, recent: { ...pattern.recent, values } };
};

/** Where its motion leads, as large as it was found last: the filter's sizes lag behind what comes nearer. */
const expectedBox = ({ motion, seen }: State): Box => {
  const { x, y } = centreOf(motionBox(motion));
  const [halfWidth, halfHeight] = [boxWidth(seen.box) / 2, boxHeight(seen.box) / 2];
  return { x1: x - halfWidth, y1: y - halfHeight, x2: x + halfWidth, y2: y + halfHeight };
};

/** Larger than it was found, the more so the less alike it looked. */
const hidingBox = (box: Box, score: number): Box =>
  growBox(box, FOLLOWING.margin + FOLLOWING.doubtMargin * (1 - score));

const take = (state: State, found: Found, moment: Moment): Box => {
  state.motion = correctMotion(state.motion, found.box);
  state.pattern = refresh(state.pattern, found);
  state.seen = { box: found.box, moment };
  state.isSeen = true;
  return hidingBox(unionBox(found.box, motionBox(state.motion)), found.score);
};

/** Where it was, and where it would be by now. */
const missedBox = ({ seen, motion }: State): Box => hidingBox(unionBox(seen.box, motionBox(motion)), 0);

const createState = (pattern: Pattern, box: Box, moment: Moment): State => ({
  pattern,
  motion: startMotion(box),
  seen: { box, moment },
  last: moment,
  isSeen: true,
});

/** Of a plain surface nothing can be recognised: it is hidden where it was, for as long as what was lost. */
const stayInPlace = (box: Box, start: Moment): BoxFollower => ({
  step: (_raster, moment) =>
    isWithin(start, moment, TRACKING.carryForwardSeconds) ? hidingBox(box, 0) : undefined,
  isSeen: () => false,
});

/**
 * Follows what a user has boxed in, without a detector: its pattern is looked for around where a Kalman filter expects
 * it (normalised cross-correlation in luma, at a reduced scale, a little larger and smaller too).
 *
 * It ends where the pattern is not recognised any more, or the scene changes; the last place stays hidden for as long
 * as that of tracks that detectors lost. Found again within this time, it goes on.
 *
 * @param box on the frame that it is made from
 * @see Lewis, Fast Normalized Cross-Correlation, 1995
 */
export const followBox = (raster: Raster, box: Box, start: Moment): BoxFollower => {
  const pattern = drawPattern(raster, box);
  if (!pattern) return stayInPlace(box, start);
  const state = createState(pattern, box, start);
  let hasEnded = false;
  return {
    isSeen: () => state.isSeen,
    step: (next, moment) => {
      if (hasEnded) return undefined;
      state.motion = predictMotion(state.motion, secondsBetween(state.last, moment));
      state.last = moment;
      const isSameScene = moment.scene === start.scene;
      const found = isSameScene ? search(next, state, expectedBox(state)) : undefined;
      const least = state.isSeen ? FOLLOWING.leastScore : FOLLOWING.leastScoreAgain;
      if (found && found.score >= least) return take(state, found, moment);
      state.isSeen = false;
      hasEnded = !isWithin(state.seen.moment, moment, TRACKING.carryForwardSeconds);
      return hasEnded ? undefined : missedBox(state);
    },
  };
};
