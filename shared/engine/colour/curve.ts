/** Turns a level 0..1 into another. */
export type Curve = (level: number) => number;

const clamp = (value: number): number => (value > 0 ? (value < 1 ? value : 1) : 0);

/** A curve through equally spaced values 0..1; straight lines between them. */
export const sampledCurve = (values: ArrayLike<number>): Curve => {
  const last = values.length - 1;
  return (level) => {
    const at = clamp(level) * last;
    const low = Math.floor(at);
    const from = values[low] ?? 0;
    return from + ((values[Math.min(low + 1, last)] ?? from) - from) * (at - low);
  };
};

/** Parameters of each function type of `para`, in the order of the file. @see ICC.1:2022, 10.18 */
type Parameters = readonly [g: number, a: number, b: number, c: number, d: number, e: number, f: number];

const PARAMETERS: readonly ((p: readonly number[]) => Parameters)[] = [
  ([g = 1]) => [g, 1, 0, 0, -1, 0, 0],
  ([g = 1, a = 1, b = 0]) => [g, a, b, 0, -b / a, 0, 0],
  ([g = 1, a = 1, b = 0, c = 0]) => [g, a, b, 0, -b / a, c, c],
  ([g = 1, a = 1, b = 0, c = 0, d = 0]) => [g, a, b, c, d, 0, 0],
  ([g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0]) => [g, a, b, c, d, e, f],
];
/** How many numbers each function type has. */
export const PARAMETER_COUNTS: readonly number[] = [1, 3, 4, 5, 7];

/** `(aX + b)^g + e` from `d` on, `cX + f` below. */
export const parametricCurve = (type: number, numbers: readonly number[]): Curve => {
  const [g, a, b, c, d, e, f] = PARAMETERS[type]?.(numbers) ?? [1, 1, 0, 0, -1, 0, 0];
  return (level) => clamp(level >= d ? Math.max(0, a * level + b) ** g + e : c * level + f);
};

export const powerCurve =
  (gamma: number): Curve =>
  (level) =>
    clamp(level) ** gamma;
