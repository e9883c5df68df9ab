import { f32, i32, importFunc } from 'wasmati';

/** Calls that these functions record in a module of their own, where they do nothing else: names and parameters. */
export const calls: (readonly [name: string, ...parameters: readonly number[]])[] = [];

const record =
  (name: string) =>
  (...parameters: readonly number[]): void => {
    calls.push([name, ...parameters]);
  };

/** `MlasActivation`, of an activation, an output, a bias, rows, columns and a stride: adds the bias and activates. */
export const activate = {
  ...importFunc({ in: [i32, i32, i32, i32, i32, i32], out: [] }, record('activate')),
  string: 'activate',
};

/** `MlasSgemmOperation`: multiplies matrices; its parameters are those of BLAS, without the order of rows. */
export const multiply = {
  ...importFunc(
    { in: [i32, i32, i32, i32, i32, f32, i32, i32, i32, i32, f32, i32, i32], out: [] },
    record('multiply'),
  ),
  string: 'multiply',
};

/** `MlasGetMaximumThreadCount`, of a pool of threads. In a module of its own, a pool is the number of its threads. */
export const countThreads = {
  ...importFunc({ in: [i32], out: [i32] }, (pool: number) => pool),
  string: 'countThreads',
};

/** `MlasConvOperation` as it was. */
export const convolveAny = {
  ...importFunc({ in: [i32, i32, i32, i32, i32, i32, i32, i32], out: [] }, record('convolveAny')),
  string: 'convolveAny',
};

/** `convolveChannel` of ours, as another function of ours calls it. */
export const convolveOneChannel = {
  ...importFunc({ in: [i32, i32, i32, i32, i32, i32, i32, i32], out: [] }, record('convolveOneChannel')),
  string: 'convolveOneChannel',
};

/** `MlasConv` as it was. */
export const convolveAll = {
  ...importFunc({ in: [i32, i32, i32, i32, i32, i32, i32], out: [] }, record('convolveAll')),
  string: 'convolveAll',
};
