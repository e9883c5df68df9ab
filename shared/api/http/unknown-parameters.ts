import { ApiError } from '../contract/errors';
import { quoted } from './query';

/** Known names of at most this many letters are like many other words: only one letter may be missing, added or swapped. */
const SHORT = 5;
/** From this length on, names have several parts, and no other word is within two letters. */
const LONG = 8;
const MAX_DISTANCE = 2;

/** A query may have a hundred thousand names; clients mistype a few. */
const MAX_COMPARED = 100;
const MAX_LISTED = 20;
const MAX_LISTED_CHARS = 64;

/** How many letters were added, left out, exchanged or swapped (Damerau-Levenshtein, optimal string alignment). */
const distanceOf = (from: string, to: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(
        Math.min(
          last[j]! + 1,
          row[j - 1]! + 1,
          last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1),
          isSwapped ? before[j - 2]! + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, row];
  }
  return last[to.length]!;
};

const letters = (name: string): string => [...name].sort().join('');

/** The distance of a name that is a mistyped `known`; Infinity for another word. */
const mistypedBy = (name: string, known: string): number => {
  if (Math.abs(name.length - known.length) > MAX_DISTANCE) return Infinity;
  const distance = distanceOf(name, known);
  const startsAlike = name[0] === known[0];
  if (known.length <= SHORT) {
    const isExchanged = name.length === known.length && letters(name) !== letters(known);
    return distance <= 1 && startsAlike && !isExchanged ? distance : Infinity;
  }
  const isRoomForTwo = known.length >= LONG || (startsAlike && name.length > SHORT);
  return distance <= (isRoomForTwo ? MAX_DISTANCE : 1) ? distance : Infinity;
};

/** The known name that was probably meant. Case, dashes and underscores do not count. */
const meant = (sent: string, known: readonly string[]): string | undefined => {
  const name = sent.toLowerCase().replaceAll('_', '-');
  const distances = known.map((each) => mistypedBy(name, each));
  const nearest = Math.min(...distances);
  return nearest === Infinity ? undefined : known[distances.indexOf(nearest)];
};

/** A stranger's text on one line, of limited length. */
const listed = (name: string): string =>
  [...name.replace(/\p{C}/gu, '?')].slice(0, MAX_LISTED_CHARS).join('');

/**
 * The parameters of a query that are ignored, as they were sent, for answers and records.
 *
 * Clients of other servers send many, so they are accepted. A mistyped one is refused: a file would be processed in
 * another way than was meant, and nobody would notice.
 *
 * @param known names of the endpoint's parameters
 * @throws ApiError `misspelt_parameter`
 */
export const ignoredParameters = (sent: readonly string[], known: readonly string[]): readonly string[] => {
  for (const name of sent.slice(0, MAX_COMPARED)) {
    const wanted = meant(name, known);
    if (wanted !== undefined) throw new ApiError('misspelt_parameter', quoted(name), wanted);
  }
  return sent.slice(0, MAX_LISTED).map(listed);
};
