interface MethodEntry {
  /** Whether pixels are changed; otherwise objects are only reported, and there is no result to download. */
  readonly hides: boolean;
}

/** In the order in which they are offered. */
const TABLE = {
  blur: { hides: true },
  pixelate: { hides: true },
  blacken: { hides: true },
  detect: { hides: false },
} as const satisfies Record<string, MethodEntry>;

/** How an object's pixels are hidden; `detect` only reports objects. */
export type Method = keyof typeof TABLE;
/** A method that hides. */
export type HidingMethod = {
  [Name in Method]: (typeof TABLE)[Name]['hides'] extends true ? Name : never;
}[Method];

export const hides = (method: Method): method is HidingMethod => TABLE[method].hides;
export const METHODS = Object.keys(TABLE) as readonly Method[];
export const HIDING_METHODS = METHODS.filter(hides);
