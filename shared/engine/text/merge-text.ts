import { intersectionArea } from '../../domain/boxes';
import { cornerBounds, shorterEdge, type Corners, type Corner } from '../../domain/detection';
import { smallestQuadrilateral, doubleSignedArea } from '../heads/text-quadrilateral';
import type { TileDetection } from '../fusion/merge';

/** The area of a polygon, by the shoelace formula. */
export const polygonArea = (corners: readonly Corner[]): number => {
  const doubled = corners.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length] as Corner;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(doubled) / 2;
};

/** Where the line through `a` and `b` crosses the edge from `from` to `to`, whose ends lie on different sides of it. */
const crossing = (a: Corner, b: Corner, from: Corner, to: Corner): Corner => {
  const [before, after] = [doubleSignedArea(a, b, from), doubleSignedArea(a, b, to)];
  const share = before / (before - after);
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
};

const cutBy = (polygon: readonly Corner[], a: Corner, b: Corner): Corner[] =>
  polygon.flatMap((corner, i) => {
    const previous = polygon.at(i - 1) as Corner;
    const isInside = doubleSignedArea(a, b, corner) >= 0;
    const enters = isInside !== doubleSignedArea(a, b, previous) >= 0;
    return [...(enters ? [crossing(a, b, previous, corner)] : []), ...(isInside ? [corner] : [])];
  });

/** The area that two convex quadrilaterals share (Sutherland and Hodgman 1974); corners are in clockwise order. */
export const convexIntersectionArea = (subject: Corners, clip: Corners): number =>
  polygonArea(
    clip.reduce<readonly Corner[]>(
      (polygon, corner, i) => cutBy(polygon, corner, clip[(i + 1) % 4] as Corner),
      subject,
    ),
  );

/** Text with its quadrilateral. */
export type FoundText = TileDetection & { readonly corners: Corners };

/** Text of which this share lies in other text is a part of it: what is left is margin. */
const PART_SHARE = 0.97;
/** Two overlapping parts of a line are joined if the rectangle around both is at most this much larger than they … */
const MAX_GROWTH = 1.2;
/** … and at most this much higher than the highest detection in them: neighbouring lines overlap, because both have a margin. */
const MAX_HEIGHT_GROWTH = 1.3;
/** Minimum share of the smaller part that lies in the other. */
const MIN_OVERLAP = 0.1;

interface Place {
  readonly text: FoundText;
  readonly area: number;
  /** Height of the highest detection in it. */
  readonly lineHeight: number;
}

const placeOf = (text: FoundText): Place => ({
  text,
  area: polygonArea(text.corners),
  lineHeight: shorterEdge(text.corners),
});

const shared = (a: Place, b: Place): number =>
  intersectionArea(a.text.box, b.text.box) > 0 ? convexIntersectionArea(a.text.corners, b.text.corners) : 0;

/** One piece of text that continues another, with the rectangle around both; undefined if they are two lines. */
const joined = (a: Place, b: Place, overlap: number, confident: number): Place | undefined => {
  // Hidden text must not grow by weak text, nor must weak text get the score of a word in it.
  if (a.text.score >= confident !== b.text.score >= confident) return undefined;
  if (overlap < MIN_OVERLAP * Math.min(a.area, b.area)) return undefined;
  const corners = smallestQuadrilateral([...a.text.corners, ...b.text.corners]);
  const area = polygonArea(corners);
  // Not of the joined places: these would grow over a page, line by line.
  const lineHeight = Math.max(a.lineHeight, b.lineHeight);
  if (area > MAX_GROWTH * (a.area + b.area - overlap)) return undefined;
  if (shorterEdge(corners) > MAX_HEIGHT_GROWTH * lineHeight) return undefined;
  const score = Math.max(a.text.score, b.text.score);
  return { text: { ...a.text, score, box: cornerBounds(corners), corners }, area, lineHeight };
};

/** Whether a place that is hidden already covers another with the same certainty. */
const covers = (place: Place, other: Place, overlap: number, confident: number): boolean =>
  overlap >= PART_SHARE * other.area && place.text.score >= Math.min(confident, other.text.score);

/**
 * Merges the text of all scales and windows: parts of other text are dropped, and parts of one line are joined.
 *
 * Nothing that is found is left uncovered. Text that overlaps other text in any other way is kept next to it.
 *
 * @param confident score from which text is hidden: weaker text does not replace it
 * @returns largest first
 */
export const mergeText = (found: readonly FoundText[], confident: number): FoundText[] => {
  let kept: Place[] = [];
  for (const text of found.map(placeOf).sort((a, b) => b.area - a.area)) {
    let place: Place | undefined = text;
    for (let i = 0; place && i < kept.length;) {
      const other = kept[i] as Place;
      const overlap = shared(place, other);
      if (overlap === 0) i++;
      else if (covers(other, place, overlap, confident)) place = undefined;
      else {
        const both = joined(place, other, overlap, confident);
        if (!both) i++;
        else {
          kept.splice(i, 1);
          place = both;
          // It has grown, and may meet places that it did not touch before.
          i = 0;
        }
      }
    }
    if (!place) continue;
    const whole = place;
    kept = kept.filter((other) => !covers(whole, other, shared(whole, other), confident));
    kept.push(whole);
  }
  return kept.sort((a, b) => b.area - a.area).map(({ text }) => text);
};
