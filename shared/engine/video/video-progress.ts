import type { VideoProgress } from '../../ports/engine';

/** Of the whole work, where a video is converted first: little next to the search for objects. */
const CONVERSION_SHARE = 0.1;

/** How much of the work on a video is done, 0..1. */
export const workDone = ({ framesDone, framesTotal, converted }: VideoProgress): number => {
  const frames = framesDone / framesTotal;
  return converted === undefined ? frames : CONVERSION_SHARE * converted + (1 - CONVERSION_SHARE) * frames;
};
