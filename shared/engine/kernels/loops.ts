import { br_if, i32, local, loop, type Input, type Local } from 'wasmati';

/** Adds to a local, such as an address that moves on. */
export const advance = (target: Local<'i32'>, by: Input<'i32'>): void => {
  local.set(target, i32.add(target, by));
};

/**
 * Repeats `body` for a counter that rises from 0 in steps while it is less than `end`; at least once.
 *
 * @param counter a local that nothing else changes
 */
export const repeat = (
  counter: Local<'i32'>,
  step: number,
  end: number | Local<'i32'>,
  body: () => void,
): void => {
  local.set(counter, 0);
  loop({}, () => {
    body();
    advance(counter, step);
    i32.lt_u(counter, end);
    br_if(0);
  });
};
