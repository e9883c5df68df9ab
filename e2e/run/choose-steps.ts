import { CHECKS, FULL_TESTS, type Step, TESTS } from './steps';

export interface ChosenSteps {
  readonly checks: readonly Step[];
  readonly tests: readonly Step[];
}

/**
 * Returns the steps for the arguments of `all.ts`: names of steps, `check` for all static ones, `full` for all with the
 * slow tests, none for all without them.
 *
 * @throws with the known names if a name is unknown, because a run without steps would pass
 */
export const chooseSteps = (names: readonly string[]): ChosenSteps => {
  if (names.length === 1 && names[0] === 'full') return { checks: CHECKS, tests: FULL_TESTS };
  const unknown = names.find(
    (name) => name !== 'check' && ![...CHECKS, ...TESTS].some((s) => s.name === name),
  );
  if (unknown !== undefined) {
    const known = ['check', 'full', ...[...CHECKS, ...TESTS].map(({ name }) => name)];
    throw new Error(`No step is called ${unknown}. Steps: ${known.join(', ')}.`);
  }
  const isChosen = ({ name }: Step): boolean => names.length === 0 || names.includes(name);
  return {
    checks: names.includes('check') ? CHECKS : CHECKS.filter(isChosen),
    tests: TESTS.filter(isChosen),
  };
};
