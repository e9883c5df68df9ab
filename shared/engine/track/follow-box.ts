import {
  type BoxTemplateMatch,
  type BoxTemplate,
  cutBoxTemplate,
  expectedBox,
  matchBoxTemplate,
  hidingBox,
  reachOf,
  refreshBoxTemplate,
} from './box-template';
import { unionBox, type Box } from '../../domain/boxes';
import type { Raster } from '../../domain/raster';
import { correctMotion, motionBox, predictMotion, startMotion, type BoxMotion } from './kalman';
import { FOLLOWING, TRACKING } from './track-limits';
import { isWithin, secondsBetween, type Moment } from './track-model';

/** Follows the content of one box from frame to frame, by its template alone. */
export interface BoxFollower {
  /** Takes the next frame. @returns the box to hide; always undefined after it was lost for too long */
  step(raster: Raster, moment: Moment): Box | undefined;
  /** Whether the template matched in the last frame. */
  isMatched(): boolean;
  /** The last place at which the template matched, without a margin. */
  matchedBox(): Box;
}

interface State {
  template: BoxTemplate;
  motion: BoxMotion;
  /** Box and moment of the last match. */
  lastMatch: { readonly box: Box; readonly moment: Moment };
  last: Moment;
  isMatched: boolean;
}

const acceptMatch = (state: State, found: BoxTemplateMatch, moment: Moment): Box => {
  state.motion = correctMotion(state.motion, found.box);
  state.template = refreshBoxTemplate(state.template, found);
  state.lastMatch = { box: found.box, moment };
  state.isMatched = true;
  return hidingBox(unionBox(found.box, motionBox(state.motion)), found.score);
};

/** The last place joined with the predicted one. */
const missedBox = ({ lastMatch, motion }: State): Box =>
  hidingBox(unionBox(lastMatch.box, motionBox(motion)), 0);

const search = (raster: Raster, { template, motion, lastMatch, isMatched }: State): BoxTemplateMatch => {
  const expected = expectedBox(motion, lastMatch.box);
  return matchBoxTemplate(raster, template, expected, reachOf(motion, expected, isMatched));
};

const createState = (template: BoxTemplate, box: Box, moment: Moment): State => ({
  template,
  motion: startMotion(box),
  lastMatch: { box, moment },
  last: moment,
  isMatched: true,
});

/** Hides a plain surface at its place for the coasting time: it has no template to match. */
const stayInPlace = (box: Box, start: Moment): BoxFollower => ({
  step: (_raster, moment) => (isWithin(start, moment, TRACKING.coastSeconds) ? hidingBox(box, 0) : undefined),
  isMatched: () => false,
  matchedBox: () => box,
});

/**
 * Follows a box that a user drew, without a detector. Its template is matched around the Kalman filter's prediction
 * (normalised cross-correlation in luma, at a reduced scale, a little larger and smaller too).
 *
 * Following ends when the template no longer matches or the scene changes. The last place stays hidden for the coasting
 * time of a track; a match within this time resumes following.
 *
 * @param box in the first frame
 * @see Lewis, Fast Normalized Cross-Correlation, 1995
 */
export const followBox = (raster: Raster, box: Box, start: Moment): BoxFollower => {
  const template = cutBoxTemplate(raster, box, FOLLOWING);
  if (!template) return stayInPlace(box, start);
  const state = createState(template, box, start);
  let hasEnded = false;
  return {
    isMatched: () => state.isMatched,
    matchedBox: () => state.lastMatch.box,
    step: (next, moment) => {
      if (hasEnded) return undefined;
      state.motion = predictMotion(state.motion, secondsBetween(state.last, moment));
      state.last = moment;
      const isSameScene = moment.scene === start.scene;
      const found = isSameScene ? search(next, state) : undefined;
      const min = state.isMatched ? FOLLOWING.minScore : FOLLOWING.minScoreAgain;
      if (found && found.score >= min) return acceptMatch(state, found, moment);
      state.isMatched = false;
      hasEnded = !isWithin(state.lastMatch.moment, moment, TRACKING.coastSeconds);
      return hasEnded ? undefined : missedBox(state);
    },
  };
};
