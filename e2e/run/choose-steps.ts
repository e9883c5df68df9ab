import { CHECKS, type Step, TESTS } from './steps';

export interface ChosenSteps {
  readonly checks: readonly Step[];
  readonly tests: readonly Step[];
}

/**
 * Finds the steps that the arguments of `all.ts` name: a step, `check` for all static ones, nothing for all.
 *
 * @throws with the known names, where a name is unknown: a misspelt one must not pass as a run without failures
 */
export const chooseSteps = (names: readonly string[]): ChosenSteps => {
  const unknown = names.find(
    (name) => name !== 'check' && ![...CHECKS, ...TESTS].some((s) => s.name === name),
  );
  if (unknown !== undefined) {
    const known = ['check', ...[...CHECKS, ...TESTS].map(({ name }) => name)];
    throw new Error(`No step is called ${unknown}. Steps: ${known.join(', ')}.`);
  }
  const isChosen = ({ name }: Step): boolean => names.length === 0 || names.includes(name);
  return {
    checks: names.includes('check') ? CHECKS : CHECKS.filter(isChosen),
    tests: TESTS.filter(isChosen),
  };
};
