import type { VideoProgress } from '../../ports/engine';

/** Share of the conversion in the total progress: it takes little time compared with detection. */
const CONVERSION_SHARE = 0.1;

/** Share of the work on a video that is done, 0..1. */
export const workDone = ({ framesDone, framesTotal, converted }: VideoProgress): number => {
  const frames = framesDone / framesTotal;
  return converted === undefined ? frames : CONVERSION_SHARE * converted + (1 - CONVERSION_SHARE) * frames;
};
