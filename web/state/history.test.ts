import { expect, it } from 'vitest';
import { afterStep, mapHistory, NO_STEPS, redone, undone, type History } from './history';

const START: History<number> = { ...NO_STEPS, present: 0 };
const after = (...states: readonly number[]): History<number> =>
  states.reduce((history, state) => afterStep(history, state), START);

it('a change to an equal state is no step', () => {
  const history = after(1, 2);
  expect(afterStep(history, 2)).toBe(history);
});

it('undo and redo lead through all states, and stop at both ends', () => {
  const history = after(1, 2);
  const back = [history, undone(history), undone(undone(history))];
  expect(back.map(({ present }) => present)).toEqual([2, 1, 0]);
  expect(undone(back[2]!)).toBe(back[2]);
  expect(redone(redone(back[2]!))).toEqual(history);
  expect(redone(history)).toBe(history);
});

it('steps between states that become equal are dropped on both sides of the present one', () => {
  const history = undone(undone(after(1, 2, 3, 4, 5)));
  const halved = mapHistory(history, (state) => Math.floor(state / 2));
  expect(halved).toMatchObject({ past: [0], present: 1, future: [2] });
});
