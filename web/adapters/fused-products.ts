/**
 * Products that are added to a sum in one instruction, `f32x4.relaxed_madd`, which is one operation of the processor
 * instead of two. Browsers that do not know it refuse a module that contains it (WebAssembly, proposal "relaxed SIMD").
 *
 * With `nop` behind it, it is as long as the two instructions that it replaces, so either form can be made in place.
 */

const LOCAL_GET = 0x20;
const NOP = 0x01;
const VECTORS = 0xfd;
const PRODUCT = [VECTORS, 0xe6, 0x01];
const SUM = [VECTORS, 0xe4, 0x01];
const FUSED = [VECTORS, 0x85, 0x02];

/** `f32x4.mul`, `local.get`, `f32x4.add`. */
const apart = (local: number): readonly number[] => [...PRODUCT, LOCAL_GET, local, ...SUM];
/** `local.get`, `f32x4.relaxed_madd`, and `nop` in the place of what is left. */
const fused = (local: number): readonly number[] => [LOCAL_GET, local, ...FUSED, NOP, NOP, NOP];

type Form = (local: number) => readonly number[];

const startsWith = (bytes: Uint8Array, at: number, wanted: readonly number[]): boolean =>
  wanted.every((byte, index) => bytes[at + index] === byte);

/** Replaces each occurrence of one form by the other. @returns a copy */
const replaceForm = (bytes: Uint8Array, from: Form, to: Form): Uint8Array<ArrayBuffer> => {
  const copy = Uint8Array.from(bytes);
  const localAt = from(0).indexOf(LOCAL_GET) + 1;
  const vectorsAt = from(0).indexOf(VECTORS);
  for (let found = copy.indexOf(VECTORS); found >= 0; found = copy.indexOf(VECTORS, found + 1)) {
    const at = found - vectorsAt;
    const local = copy[at + localAt] ?? 0;
    if (startsWith(copy, at, from(local))) copy.set(to(local), at);
  }
  return copy;
};

export const fuseProducts = (code: Uint8Array): Uint8Array => replaceForm(code, apart, fused);

/** Makes a module with fused products fit for browsers without them. */
export const splitProducts = (module: Uint8Array): Uint8Array<ArrayBuffer> =>
  replaceForm(module, fused, apart);
