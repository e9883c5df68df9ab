const PRODUCT_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^webgpu/, 'WebGPU'],
  [/^wasm/, 'WASM'],
];

/** `wasm (2 threads)` → `WASM, 2 threads`. */
export const readableBackend = (backend: string): string =>
  PRODUCT_NAMES.reduce((text, [pattern, name]) => text.replace(pattern, name), backend).replace(
    / \((.*)\)$/,
    ', $1',
  );
