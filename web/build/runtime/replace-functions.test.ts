import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { splitProducts } from '../../adapters/fused-products';
import { replaceFunctions } from './replace-functions';
import { CODE, contentOf, readBodies, readSections } from './wasm-module';

const RUNTIME = readFileSync(
  createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'),
);
/** Declared here, because builds know no browser. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { validate(module: Uint8Array): boolean };
};
const bodiesOf = (module: Uint8Array): readonly Uint8Array[] =>
  readBodies(contentOf(readSections(module), CODE));

it('five functions of onnxruntime are changed, and two of them stay at the end as they were, next to one of ours', () => {
  const [before, after] = [bodiesOf(RUNTIME), bodiesOf(replaceFunctions(RUNTIME))];
  const changed = before.flatMap((body, index) => (Buffer.compare(body, after[index]!) === 0 ? [] : [index]));
  expect(changed).toHaveLength(5);
  const added = after.slice(before.length);
  const kept = added.filter((body) => changed.some((index) => Buffer.compare(before[index]!, body) === 0));
  expect([added.length, kept.length]).toEqual([3, 2]);
});

it('the changed onnxruntime is a module that every browser accepts once its products are split', () => {
  const changed = replaceFunctions(RUNTIME);
  const split = splitProducts(changed);
  expect(split).not.toEqual(new Uint8Array(changed));
  expect(WebAssembly.validate(split)).toBe(true);
});

it('another version of onnxruntime is refused', () => {
  expect(() => replaceFunctions(Uint8Array.from([...RUNTIME.subarray(0, 1000)]))).toThrow(
    'onnxruntime-web has changed',
  );
});
