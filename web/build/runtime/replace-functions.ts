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
  convolvePoints: 2702,
  /** `MlasConv`. */
  convolveInParts: 3646,
  /** `MlasActivation`, `MlasSgemmOperation` and `MlasGetMaximumThreadCount`. */
  activate: 1226,
  multiply: 1001,
  countThreads: 185,
} as const;
type Replaced = keyof typeof NUMBERS;

/**
 * Types of the functions that are added behind the last one, in their order: two that ours replace and call, and one of
 * ours. Each has the type of a replaced function.
 */
const ADDED = {
  convolveAny: 'convolvePoints',
  convolveOneChannel: 'convolvePoints',
  convolveAll: 'convolveInParts',
} as const satisfies Readonly<Record<string, Replaced>>;
type Added = keyof typeof ADDED;

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

const indexOf = (name: Replaced): number => NUMBERS[name] - IMPORTED;

const changeBodies = (bodies: readonly Uint8Array[]): readonly Uint8Array[] => {
  const original = (name: Replaced): Uint8Array => bodies[indexOf(name)]!;
  const added = Object.keys(ADDED).map((name, index) => [name, IMPORTED + bodies.length + index]);
  const numbers = { ...NUMBERS, ...(Object.fromEntries(added) as Record<Added, number>) };
  const ours = assembleFunctions(numbers);
  const addedBodies: Readonly<Record<Added, Uint8Array>> = {
    convolveAny: original('convolvePoints'),
    convolveOneChannel: fuseProducts(ours.convolveChannel),
    convolveAll: original('convolveInParts'),
  };
  const changed = [...bodies, ...Object.values(addedBodies)];
  for (const name of ['multiplyRows', 'multiplyAndAddRows', 'convolvePoints', 'convolveInParts'] as const) {
    changed[indexOf(name)] = fuseProducts(ours[name]);
  }
  changed[indexOf('activate')] = limitFaster(original('activate'));
  return changed;
};

const changeTypes = (types: readonly number[]): readonly number[] => [
  ...types,
  ...Object.values(ADDED).map((name) => types[indexOf(name)]!),
];

/**
 * Replaces functions of onnxruntime by ours, which give the same results in less time, and changes an activation. The
 * general convolutions, which ours call for what they do not know, move to the end.
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
