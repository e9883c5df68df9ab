import { br_if, f32x4, if_, local, loop, v128, type Local } from 'wasmati';

/** Bytes of a float32, and of a vector of four. */
export const FLOAT = 4;
export const VECTOR = 16;
/** Floats of a vector. */
export const LANES = VECTOR / FLOAT;

type Address = Local<'i32'>;
type Vector = Local<'v128'>;

/** Alignment that an address is known to have: that of a float. */
const at = (offset: number): { readonly offset: number; readonly align: 4 } => ({ offset, align: FLOAT });

/** Loads four floats. @param offset in bytes */
export const load = (target: Vector, address: Address, offset = 0): void => {
  local.set(target, v128.load(at(offset), address));
};

/** Loads one float into all four places. */
export const loadSplat = (target: Vector, address: Address, offset = 0): void => {
  local.set(target, v128.load32_splat(at(offset), address));
};

export const store = (address: Address, offset: number, value: Vector): void => {
  v128.store(at(offset), address, value);
};

export const clear = (vectors: readonly Vector[]): void => {
  for (const vector of vectors) local.set(vector, v128.const('f32x4', [0, 0, 0, 0]));
};

/**
 * Adds the product of two vectors to a sum.
 *
 * All products are added by these very instructions, which `web/adapters/fused-products.ts` knows.
 */
export const addProduct = (sum: Vector, first: Vector, second: Vector): void => {
  f32x4.mul(first, second);
  local.get(sum);
  f32x4.add();
  local.set(sum);
};

/** Repeats `body` while a condition, which is pushed, holds; not at all where it does not. */
export const repeatWhile = (pushCondition: () => void, body: () => void): void => {
  pushCondition();
  if_({}, () => {
    loop({}, () => {
      body();
      pushCondition();
      br_if(0);
    });
  });
};
