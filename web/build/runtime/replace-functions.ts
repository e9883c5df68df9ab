import { createHash } from 'node:crypto';
import { fuseProducts } from '../../adapters/fused-products';
import { assembleFunctions } from './assemble-functions';
import {
  CODE,
  FUNCTIONS,
  readBodies,
  readSections,
  readTypes,
  writeBodies,
  writeModule,
  writeTypes,
  type Section,
} from './wasm-module';

/** SHA-256 of `ort-wasm-simd-threaded.wasm` in onnxruntime-web 1.30.0, whose functions have these numbers. */
const SHA256 = '3398c10d07d229bd91b364548e130e0e51a8e5704b88c7c083ebbeb78842dee2';
/** Imported functions have the first numbers. */
const IMPORTED = 100;
const NUMBERS = {
  /** `MlasSgemmKernelZero` and `MlasSgemmKernelAdd`. */
  multiplyRows: 1422,
  multiplyAndAddRows: 2415,
  /** `MlasConvOperation`. */
  convolveChannel: 2702,
  /** `MlasActivation`. */
  activate: 1226,
} as const;

/** The instructions `f32x4.min` and `max`, and the second bytes of `pmin` and `pmax`. */
const LIMITS = [
  [Buffer.of(0xfd, 0xe8, 0x01), 0xea],
  [Buffer.of(0xfd, 0xe9, 0x01), 0xeb],
] as const;

/** Limits numbers by one instruction instead of the six that x86 needs for NaN, which only a broken network has. */
const limitFaster = (body: Uint8Array): Uint8Array => {
  const copy = Buffer.from(body);
  for (const [limit, second] of LIMITS) {
    for (let at = copy.indexOf(limit); at >= 0; at = copy.indexOf(limit)) copy[at + 1] = second;
  }
  return copy;
};

const changeBodies = (bodies: readonly Uint8Array[]): readonly Uint8Array[] => {
  const changed = [...bodies];
  const indexOf = (name: keyof typeof NUMBERS): number => NUMBERS[name] - IMPORTED;
  const last = changed.push(bodies[indexOf('convolveChannel')]!) - 1;
  const ours = assembleFunctions({ activate: NUMBERS.activate, convolveAny: IMPORTED + last });
  for (const name of ['multiplyRows', 'multiplyAndAddRows', 'convolveChannel'] as const) {
    changed[indexOf(name)] = fuseProducts(ours[name]);
  }
  changed[indexOf('activate')] = limitFaster(bodies[indexOf('activate')]!);
  return changed;
};

/** The last function has the type of the one in whose place it stood. */
const changeTypes = (types: readonly number[]): readonly number[] => [
  ...types,
  types[NUMBERS.convolveChannel - IMPORTED]!,
];

/**
 * Replaces functions of onnxruntime by ours, which give the same results in less time, and changes an activation. The
 * general convolution, which ours calls for what it does not know, moves to the end.
 *
 * Products are fused with their sums: `web/adapters/fused-products.ts` takes this back.
 *
 * @param runtime `ort-wasm-simd-threaded.wasm`
 * @throws Error if it is of another version, in which functions have other numbers
 */
export const replaceFunctions = (runtime: Uint8Array): Uint8Array => {
  if (createHash('sha256').update(runtime).digest('hex') !== SHA256) {
    throw new Error('onnxruntime-web has changed: see docs/decisions/0061-functions-in-onnxruntime.md');
  }
  const change = ({ id, content }: Section): Section => {
    if (id === FUNCTIONS) return { id, content: writeTypes(changeTypes(readTypes(content))) };
    return { id, content: id === CODE ? writeBodies(changeBodies(readBodies(content))) : content };
  };
  return writeModule(runtime, readSections(runtime).map(change));
};
