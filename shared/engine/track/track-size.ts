import { boxHeight, boxWidth, unionBox, type Box } from '../../domain/boxes';
import { SIZE_MEMORY } from './track-limits';
import { secondsBetween, type Observation } from './track-model';

/** What one side of an object's box covers, in px. */
interface Extent {
  readonly from: number;
  readonly to: number;
}

/** One hit along one axis. */
interface SizedHit extends Extent {
  readonly seconds: number;
  /** Length, converted to the time that is asked for. */
  readonly length: number;
}

/** Theil–Sen: the median of the slopes between all pairs, which stays correct when a quarter of the hits is wrong. */
const slope = (seconds: readonly number[], values: readonly number[]): number => {
  const slopes = new Float64Array((seconds.length * (seconds.length - 1)) / 2);
  let count = 0;
  for (let i = 1; i < seconds.length; i++) {
    for (let j = 0; j < i; j++) {
      const elapsed = (seconds[i] as number) - (seconds[j] as number);
      if (elapsed > 0) slopes[count++] = ((values[i] as number) - (values[j] as number)) / elapsed;
    }
  }
  return slopes.subarray(0, count).sort()[count >> 1] ?? 0;
};

/** Maximum hits, evenly chosen: the slopes between all pairs would cost too much at hundreds of frames a second. */
const MAX_HITS = 12;
const subsample = <T>(hits: readonly T[]): readonly T[] => {
  const step = Math.ceil(hits.length / MAX_HITS);
  return step > 1 ? hits.filter((_, i) => i % step === 0) : hits;
};

/**
 * Growth per second, in the logarithm, that both sides agree on. A single side that gets shorter is an incomplete
 * detection.
 */
const growthOf = (hits: readonly Observation[]): number => {
  const seconds = hits.map(({ moment }) => moment.seconds);
  const rates = [boxWidth, boxHeight].map((side) =>
    slope(
      seconds,
      hits.map(({ detection }) => Math.log(Math.max(1, side(detection.box)))),
    ),
  ) as [number, number];
  if (rates[0] * rates[1] <= 0) return 0;
  return Math.abs(rates[0]) < Math.abs(rates[1]) ? rates[0] : rates[1];
};

/** The length that several hits support; a single one may be a mistake. */
const knownLength = (hits: readonly SizedHit[]): number => {
  const lengths = new Float64Array(hits.length);
  for (let i = 0; i < hits.length; i++) lengths[i] = (hits[i] as SizedHit).length;
  const rank = Math.max(SIZE_MEMORY.hits, Math.ceil(SIZE_MEMORY.share * lengths.length));
  return lengths.sort()[lengths.length - rank] ?? 0;
};

const centreOf = ({ from, to }: Extent): number => (from + to) / 2;

/**
 * Where the centre of a whole hit is at another time: interpolated between two, or predicted by the velocity beyond
 * them.
 */
const expectedCentre = (own: SizedHit, hits: readonly SizedHit[], whole: readonly SizedHit[]): number => {
  const before = whole.findLast(({ seconds }) => seconds <= own.seconds);
  const after = whole.find(({ seconds }) => seconds >= own.seconds);
  if (before && after) {
    const share =
      after.seconds > before.seconds
        ? (own.seconds - before.seconds) / (after.seconds - before.seconds)
        : 0.5;
    return centreOf(before) + share * (centreOf(after) - centreOf(before));
  }
  const near = before ?? after;
  if (!near) return centreOf(own);
  // A post that uncovers an object moves the centre of its visible part faster than the object.
  const known = subsample(whole.length > SIZE_MEMORY.hits ? whole : hits);
  const velocity = slope(
    known.map(({ seconds }) => seconds),
    known.map(centreOf),
  );
  return centreOf(near) + velocity * (own.seconds - near.seconds);
};

/** The length of the track's other hits around that time, placed so that it holds the detected extent. */
const lengthen = (own: SizedHit, hits: readonly SizedHit[]): Extent => {
  const length = Math.min(knownLength(hits), SIZE_MEMORY.max * own.length);
  if (own.length >= SIZE_MEMORY.short * length) return own;
  const whole = hits.filter((hit) => hit.length >= SIZE_MEMORY.short * length);
  const from = expectedCentre(own, hits, whole) - length / 2;
  const held = Math.min(own.from, Math.max(own.to - length, from));
  return { from: held, to: held + length };
};

/** @param near the hits around one of them, in the order of time */
const sizedBox = (own: Observation, near: readonly Observation[]): Box => {
  const { moment, detection } = own;
  const growth = growthOf(subsample(near));
  const scales = near.map((hit) => Math.exp(growth * (moment.seconds - hit.moment.seconds)));
  const along = (from: (box: Box) => number, to: (box: Box) => number): Extent => {
    const read = (hit: Observation, scale: number): SizedHit => {
      const [start, end] = [from(hit.detection.box), to(hit.detection.box)];
      return { from: start, to: end, seconds: hit.moment.seconds, length: (end - start) * scale };
    };
    return lengthen(
      read(own, 1),
      near.map((hit, i) => read(hit, scales[i] as number)),
    );
  };
  const x = along(
    ({ x1 }) => x1,
    ({ x2 }) => x2,
  );
  const y = along(
    ({ y1 }) => y1,
    ({ y2 }) => y2,
  );
  return unionBox(detection.box, { x1: x.from, y1: y.from, x2: x.to, y2: y.to });
};

/** An enlarged box, and the hits of which it was made: hits are added and removed only at the ends of a track. */
interface SizedBox {
  readonly first: Observation | undefined;
  readonly last: Observation | undefined;
  readonly count: number;
  readonly box: Box;
}

/** In most frames that ask for a hit's box, the hits around it are the same. */
const sizedBoxes = new WeakMap<Observation, SizedBox>();

/**
 * The box of a hit, enlarged to the object's size in the hits around it.
 *
 * Detectors find parts: some characters of a plate in the shade, the lower half of a face behind a hand. An object does
 * not shrink and grow back within a fraction of a second, so the size that its other hits agree on is hidden here too.
 *
 * @param hits of one track, in the order of time
 * @returns a box that holds the detected one
 */
export const wholeBox = (hits: readonly Observation[], index: number): Box => {
  const own = hits[index] as Observation;
  const near = hits.filter((hit) => secondsBetween(hit.moment, own.moment) <= SIZE_MEMORY.seconds);
  if (near.length <= SIZE_MEMORY.hits) return own.detection.box;
  const [first, last, count] = [near[0], near.at(-1), near.length];
  const known = sizedBoxes.get(own);
  if (known && known.first === first && known.last === last && known.count === count) return known.box;
  const box = sizedBox(own, near);
  sizedBoxes.set(own, { first, last, count, box });
  return box;
};
