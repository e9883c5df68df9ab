/** A character as a recogniser reads it. */
interface ReadCharacter {
  readonly character: string;
  /** 0..1 */
  readonly score: number;
  /** What it is otherwise; empty: nothing. */
  readonly other: string;
}

/** A line of text as a recogniser reads it. */
export interface ReadLine {
  readonly characters: readonly ReadCharacter[];
  readonly text: string;
  /** Score of its least certain character, 0..1; 0 where nothing was read. */
  readonly min: number;
  readonly mean: number;
}

/** A blank lies before the alphabet, and a space behind it: the classes of PaddleOCR's recognisers. */
const BLANK = 0;

/** The two likeliest classes of each column. */
function* likeliest(scores: Float32Array, classes: number) {
  for (let from = 0; from < scores.length; from += classes) {
    let [best, second] = scores[from]! >= scores[from + 1]! ? [0, 1] : [1, 0];
    for (let i = 2; i < classes; i++) {
      if (scores[from + i]! > scores[from + best]!) [best, second] = [i, best];
      else if (scores[from + i]! > scores[from + second]!) second = i;
    }
    yield { best, second, score: scores[from + best]! };
  }
}

const lineOf = (characters: readonly ReadCharacter[]): ReadLine => {
  const scores = characters.map(({ score }) => score);
  return {
    characters,
    text: characters.map(({ character }) => character).join(''),
    min: scores.length > 0 ? Math.min(...scores) : 0,
    mean: scores.length > 0 ? scores.reduce((sum, score) => sum + score, 0) / scores.length : 0,
  };
};

/**
 * Decodes the output of a recogniser that is trained by CTC: the likeliest class of each column, without repetitions and
 * blanks.
 *
 * @param scores [columns, classes], probabilities row by row
 * @param alphabet characters of the classes from 1 on
 * @see Graves et al., Connectionist Temporal Classification, ICML 2006
 */
export const readCtc = (scores: Float32Array, alphabet: readonly string[]): ReadLine => {
  const classes = alphabet.length + 2;
  if (scores.length % classes !== 0) throw new Error('the scores do not fit the alphabet');
  const letter = (one: number): string => (one === BLANK ? '' : (alphabet[one - 1] ?? ' '));
  const characters: ReadCharacter[] = [];
  let before = BLANK;
  for (const { best, second, score } of likeliest(scores, classes)) {
    const read = { character: letter(best), score, other: letter(second) };
    const isRepeated = best === before;
    before = best;
    if (best === BLANK || (isRepeated && score <= characters.at(-1)!.score)) continue;
    if (isRepeated) characters.pop();
    characters.push(read);
  }
  return lineOf(characters);
};

/** Below this score a character may be what is likeliest after it. */
const DOUBTFUL_SCORE = 0.8;

/** What a line may be: as it was read, with one doubtful character as its other one, and with all of them. */
export const variantsOf = ({ characters, text }: ReadLine): readonly string[] => {
  const doubtful = characters.flatMap(({ score }, i) => (score < DOUBTFUL_SCORE ? [i] : []));
  const withOthers = (places: readonly number[]): string =>
    characters.map(({ character, other }, i) => (places.includes(i) ? other : character)).join('');
  if (doubtful.length === 0) return [text];
  return [text, ...doubtful.map((place) => withOthers([place])), withOthers(doubtful)];
};
