import { expect, it } from 'vitest';
import { readableBackend } from './readable-backend';

it.each([
  ['webgpu', 'WebGPU'],
  ['wasm (1 thread)', 'WASM, 1 thread'],
  ['wasm (4 threads)', 'WASM, 4 threads'],
])('%s is shown as %s', (backend, shown) => {
  expect(readableBackend(backend)).toBe(shown);
});
