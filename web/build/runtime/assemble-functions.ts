import { Module, memory } from 'wasmati';
import { convolveChannel } from './convolve-channel';
import { convolveInParts } from './convolve-in-parts';
import { convolvePoints } from './convolve-points';
import { createRowMultiplication } from './multiply-rows';
import { CODE, contentOf, readBodies, readSections } from './wasm-module';

/** An instruction as `wasmati` keeps it. */
interface Instruction {
  readonly name: string;
  readonly immediate?: unknown;
}
type Branches = { readonly if: Instruction[]; readonly else?: Instruction[] };
interface Block {
  readonly instructions: Instruction[] | Branches;
}
interface Assembled {
  readonly imports: readonly { readonly name: string }[];
  readonly funcs: { body: Instruction[] }[];
}

/** Numbers of the functions that ours call, in the module where ours will stand. */
export type Callees = Readonly<
  Record<
    'activate' | 'multiply' | 'countThreads' | 'convolveAny' | 'convolveOneChannel' | 'convolveAll',
    number
  >
>;
/** Ours, in their order. */
const NAMES = [
  ...(['multiplyRows', 'multiplyAndAddRows'] as const),
  ...(['convolveChannel', 'convolvePoints', 'convolveInParts'] as const),
] as const;
type Name = (typeof NAMES)[number];
export type Bodies = Readonly<Record<Name, Uint8Array>>;

/** Makes instructions independent of the types and of the numbers of functions in their own module. */
const relocate = (instructions: readonly Instruction[], numberOf: (own: number) => number): Instruction[] =>
  instructions.map(({ name, immediate }) => {
    if (name === 'call') return { name, immediate: numberOf(immediate as number) };
    if (!['block', 'loop', 'if'].includes(name)) return { name, immediate };
    const { instructions: inner } = immediate as Block;
    const moved = Array.isArray(inner)
      ? relocate(inner, numberOf)
      : { if: relocate(inner.if, numberOf), else: inner.else && relocate(inner.else, numberOf) };
    return { name, immediate: { blockType: 'empty', instructions: moved } };
  });

const createModule = () =>
  Module({
    exports: {
      multiplyRows: createRowMultiplication(false),
      multiplyAndAddRows: createRowMultiplication(true),
      convolveChannel,
      convolvePoints,
      convolveInParts,
      memory: memory({ min: 32 }),
    },
  });

/** Assembles our functions so that they can stand in another module, which has a memory. */
export const assembleFunctions = (callees: Callees): Bodies => {
  const module = createModule();
  const { imports, funcs } = module.module as unknown as Assembled;
  const numberOf = (own: number): number => callees[imports[own]?.name as keyof Callees];
  for (const each of funcs) each.body = relocate(each.body, numberOf);
  const bodies = readBodies(contentOf(readSections(module.toBytes()), CODE));
  return Object.fromEntries(NAMES.map((name, index) => [name, bodies[index]])) as unknown as Bodies;
};

type Call = (...parameters: readonly number[]) => number;

/** What our functions are in a module of their own, where those that they call do nothing. */
export type Instance = Readonly<Record<Name, Call>> & { readonly memory: { readonly buffer: ArrayBuffer } };

export const instantiateFunctions = async (): Promise<Instance> =>
  (await createModule().instantiate()).instance.exports as unknown as Instance;
