/** The states before and after the present one. */
export interface Steps<State> {
  readonly past: readonly State[];
  readonly future: readonly State[];
  /** Name of the last step; the next change of the same name becomes part of it. */
  readonly openStep: string | null;
}

/** Edits with the steps before them and the undone steps. */
export interface History<State> extends Steps<State> {
  readonly present: State;
}

export const NO_STEPS: Steps<never> = { past: [], future: [], openStep: null };

/** Maximum number of steps to undo. */
const MAX_STEPS = 200;

/** Compares by content: states of an earlier visit are equal to others, but not identical. */
export const isSameState = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * The history after a change. A change to an equal state is no step.
 *
 * @param step consecutive changes of the same step are undone together
 */
export const afterStep = <State>(
  history: History<State>,
  next: State,
  step: string | null = null,
): History<State> => {
  const { past, present, openStep } = history;
  if (isSameState(present, next)) return history;
  const isSameStep = step !== null && step === openStep;
  return {
    past: isSameStep ? past : [...past, present].slice(-MAX_STEPS),
    present: next,
    future: [],
    openStep: step,
  };
};

export const undone = <State>(history: History<State>): History<State> => {
  const { past, present, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], openStep: null };
};

export const redone = <State>(history: History<State>): History<State> => {
  const { past, present, future } = history;
  const [after, ...rest] = future;
  if (after === undefined) return history;
  return { past: [...past, present], present: after, future: rest, openStep: null };
};

const withoutRepeats = <State>(states: readonly State[]): readonly State[] =>
  states.filter((state, i) => i === 0 || !isSameState(state, states[i - 1]));

/** The same history with other states. Steps between states that become equal are dropped. */
export const mapHistory = <State>(
  { past, present, future }: History<State>,
  map: (state: State) => State,
): History<State> => {
  const now = map(present);
  return {
    past: withoutRepeats([...past.map(map), now]).slice(0, -1),
    present: now,
    future: withoutRepeats([now, ...future.map(map)]).slice(1),
    openStep: null,
  };
};
