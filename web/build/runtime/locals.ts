import { i32, v128, type Local } from 'wasmati';

/** Addresses and counts, and vectors, of a function by their names. */
export type Locals<Numbers extends string, Vectors extends string = never> = Readonly<
  Record<Numbers, Local<'i32'>> & Record<Vectors, Local<'v128'>>
>;

/** Names of locals in their order. */
interface Names<Numbers extends string, Vectors extends string> {
  readonly numbers: readonly Numbers[];
  readonly vectors?: readonly Vectors[];
}

/** @returns the types that `func` wants; of any number, although `wasmati` knows lists of a fixed length alone */
export const typesOf = ({ numbers, vectors = [] }: Names<string, string>): [typeof i32] =>
  [...numbers.map(() => i32), ...vectors.map(() => v128)] as unknown as [typeof i32];

/** @param locals those that `func` gives for these names */
export const nameLocals = <Numbers extends string, Vectors extends string = never>(
  { numbers, vectors = [] }: Names<Numbers, Vectors>,
  locals: readonly unknown[],
): Locals<Numbers, Vectors> =>
  Object.fromEntries([...numbers, ...vectors].map((name, index) => [name, locals[index]])) as Locals<
    Numbers,
    Vectors
  >;
