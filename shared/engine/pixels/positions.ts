/** The position at an index beyond the ends: the first or the last. */
export const within = (index: number, length: number): number =>
  index < 0 ? 0 : index >= length ? length - 1 : index;
/** The position at an index beyond the ends: continued at the other end, as in panoramas. */
export const around = (index: number, length: number): number => ((index % length) + length) % length;
