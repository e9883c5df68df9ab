/**
 * A public sentence in English, or a part of one, with `{}` for each fact, and the same in another language: a text with
 * as many `{}`, or a function of the facts.
 */
export type Translated = readonly [
  english: string,
  other: string | ((...facts: readonly string[]) => string),
];

const HOLE = '{}';

/** The facts in a sentence. @returns undefined if it is another sentence */
const factsIn = (sentence: string, english: string): readonly string[] | undefined => {
  const [first = '', ...parts] = english.split(HOLE);
  if (!sentence.startsWith(first)) return undefined;
  const facts: string[] = [];
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const end = isLast ? sentence.length - part.length : sentence.indexOf(part, at);
    if (end < at || !sentence.startsWith(part, end)) return undefined;
    facts.push(sentence.slice(at, end));
    at = end + part.length;
  }
  return at === sentence.length ? facts : undefined;
};

const filled = (text: string, facts: readonly string[]): string =>
  text.split(HOLE).reduce((before, after, index) => `${before}${facts[index - 1] ?? ''}${after}`);

/** A large number in English. */
const GROUPED = /^\d{1,3}(,\d{3})+$/;

/** Letters that tell a sentence from others. */
const weightOf = ([english]: Translated): number => english.replaceAll(HOLE, '').length;

/**
 * Translates public sentences of the engine and the API, which are English everywhere.
 *
 * A sentence is recognised by its words, because it is all that failed tasks, stored lists and the engine's workers have.
 * Facts are translated like sentences. What is in no row stays as it is.
 *
 * @param groupSeparator of large numbers
 */
export const createTranslation = (
  rows: readonly Translated[],
  groupSeparator: string,
): ((sentence: string) => string) => {
  const exactFirst = rows.toSorted((a, b) => weightOf(b) - weightOf(a));
  const translate = (sentence: string): string => {
    for (const [english, other] of exactFirst) {
      const facts = factsIn(sentence, english)?.map(translate);
      if (facts) return typeof other === 'string' ? filled(other, facts) : other(...facts);
    }
    return GROUPED.test(sentence) ? sentence.replaceAll(',', groupSeparator) : sentence;
  };
  return translate;
};
