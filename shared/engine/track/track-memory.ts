import { SIZE_MEMORY, TRACKING } from './track-limits';
import { isWithin, secondsBetween, type Moment, type Observation, type Track } from './track-model';

/** The observations up to the last settled frame that later frames may need. */
const neededHits = ({ observations }: Track, settled: Moment): Observation[] => {
  const lastSettled = observations.findLastIndex(({ moment }) => moment.position <= settled.position);
  const remembered = observations.findIndex(
    ({ moment }) => secondsBetween(moment, settled) <= SIZE_MEMORY.seconds,
  );
  const first = Math.min(lastSettled - 1, remembered < 0 ? observations.length : remembered);
  return first > 0 ? observations.slice(first) : observations;
};

const isOver = ({ scene, observations }: Track, settled: Moment): boolean => {
  const { moment } = observations.at(-1) as Observation;
  if (moment.position > settled.position) return false;
  return scene !== settled.scene || !isWithin(moment, settled, TRACKING.lostSeconds);
};

/**
 * Removes observations and tracks that no later frame needs. Of the settled hits only the last two and those that
 * determine the size are kept.
 *
 * @param settled the last frame that was returned
 * @returns the tracks that remain
 */
export const forget = (tracks: readonly Track[], settled: Moment): Track[] => {
  for (const track of tracks) track.observations = neededHits(track, settled);
  return tracks.filter((track) => !isOver(track, settled));
};
