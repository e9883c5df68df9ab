import { expect, it } from 'vitest';
import { fuseProducts, splitProducts } from './fused-products';

/** `local.get 3; local.get 4; f32x4.mul; local.get 5; f32x4.add; local.set 5`. */
const APART = Uint8Array.of(0x20, 3, 0x20, 4, 0xfd, 0xe6, 1, 0x20, 5, 0xfd, 0xe4, 1, 0x21, 5);
/** With `f32x4.relaxed_madd`, and three times `nop`. */
const FUSED = Uint8Array.of(0x20, 3, 0x20, 4, 0x20, 5, 0xfd, 0x85, 2, 1, 1, 1, 0x21, 5);

it('a product is fused with its sum, and split again, in the same place', () => {
  expect(fuseProducts(Uint8Array.of(...APART, ...APART))).toEqual(Uint8Array.of(...FUSED, ...FUSED));
  expect(splitProducts(Uint8Array.of(0, ...FUSED, ...FUSED))).toEqual(Uint8Array.of(0, ...APART, ...APART));
});

it('other code stays as it is', () => {
  const product = APART.subarray(0, 7);
  expect(fuseProducts(product)).toEqual(product);
  const withoutNop = FUSED.subarray(0, 11);
  expect(splitProducts(withoutNop)).toEqual(withoutNop);
});
