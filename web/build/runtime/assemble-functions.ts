import { Module, memory } from 'wasmati';
import { convolveChannel } from './convolve-channel';
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
export type Callees = Readonly<Record<'activate' | 'convolveAny', number>>;
export type Bodies = Readonly<Record<'multiplyRows' | 'multiplyAndAddRows' | 'convolveChannel', Uint8Array>>;

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
  const [multiplyRows, multiplyAndAddRows, convolve] = bodies as [Uint8Array, Uint8Array, Uint8Array];
  return { multiplyRows, multiplyAndAddRows, convolveChannel: convolve };
};

type Call = (...parameters: readonly number[]) => number;

/** What our functions are in a module of their own, where those that they call do nothing. */
export interface Instance {
  readonly multiplyRows: Call;
  readonly multiplyAndAddRows: Call;
  readonly convolveChannel: Call;
  readonly memory: { readonly buffer: ArrayBuffer };
}

export const instantiateFunctions = async (): Promise<Instance> =>
  (await createModule().instantiate()).instance.exports as unknown as Instance;
