import { expect, it, vi } from 'vitest';
import { expectSameOnGpu } from '../testing/run-convolutions';
import { splitProducts } from './fused-products';

/** `f32x4.relaxed_madd`. */
const FUSED_PRODUCT = [0xfd, 0x85, 0x02].join();

it('a browser without fused products gets none, and has the same results', async () => {
  const validate = WebAssembly.validate.bind(WebAssembly);
  vi.spyOn(WebAssembly, 'validate').mockImplementation(
    (bytes) => !new Uint8Array(bytes as ArrayBuffer).join().includes(FUSED_PRODUCT) && validate(bytes),
  );
  const instantiated = vi.spyOn(WebAssembly, 'instantiate');
  await expectSameOnGpu();
  expect(instantiated).toHaveBeenCalledOnce();
  const runtime = new Uint8Array(instantiated.mock.calls[0]?.[0] as unknown as ArrayBuffer);
  expect(runtime.length).toBeGreaterThan(10_000_000);
  expect(splitProducts(runtime).every((byte, index) => byte === runtime[index])).toBe(true);
});
