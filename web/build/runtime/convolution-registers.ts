import { br_if, i32, local, type Local } from 'wasmati';
import type { Locals } from './locals';

/** Offsets in MLAS's `MLAS_CONV_PARAMETERS` (mlas.h), in bytes. */
export const PARAMETERS = {
  activation: 0,
  dimensions: 4,
  batches: 8,
  groups: 12,
  inputChannels: 16,
  inputHeight: 24,
  inputWidth: 28,
  kernelHeight: 36,
  kernelWidth: 40,
  dilationHeight: 48,
  dilationWidth: 52,
  paddingTop: 60,
  paddingLeft: 64,
  strideHeight: 84,
  strideWidth: 88,
  filters: 96,
  outputHeight: 100,
  outputWidth: 104,
  outputSize: 116,
  /** Numbers of a filter, and rows of the matrix by which filters are multiplied. */
  inner: 120,
  /** Factor of what the output contains before. */
  beta: 124,
  algorithm: 128,
  /** For one multiplication: order of the matrix, and length of its rows. For parts: columns of a part, and nothing. */
  orderOrPart: 152,
  matrixStride: 156,
} as const;
export type Parameter = keyof typeof PARAMETERS;
export type Label = Parameters<typeof br_if>[0];

/** Addresses of the parameters, the input, the filter, the bias, memory for columns, and the output; a part of it. */
export const ARGUMENTS = {
  numbers: ['parameters', 'input', 'filter', 'bias', 'columns', 'output', 'first', 'count'],
} as const;

export const LOCALS = {
  numbers: [
    // Sizes: those of rows in bytes.
    ...[
      'inputWidth',
      'inputHeight',
      'paddingLeft',
      'kernel',
      'stride',
      'outputBytes',
      'rowBytes',
      'oddBytes',
    ],
    // Rows of the padded input: the next one, how many are wanted, the place of the next one, and the end of places.
    ...['row', 'rowsWanted', 'kept', 'keptEnd', 'rowsLeft'],
    ...['from', 'evenTo', 'oddTo', 'even', 'odd', 'x', 'weights', 'turns'],
  ],
  vectors: ['weight', 'values', 'sum0', 'sum1', 'sum2', 'sum3'],
} as const;

export type Registers = Locals<
  (typeof ARGUMENTS.numbers)[number] | (typeof LOCALS.numbers)[number],
  (typeof LOCALS.vectors)[number]
>;

/** What all functions of a convolution have. */
export type HasParameters = Locals<'parameters'>;

export const pushParameter = ({ parameters }: HasParameters, name: Parameter) =>
  i32.load({ offset: PARAMETERS[name] }, parameters);

/** Leaves a block unless parameters have these values. */
export const leaveUnless = (
  registers: HasParameters,
  values: Partial<Record<Parameter, number>>,
  leave: Label,
): void => {
  for (const [name, value] of Object.entries(values)) {
    i32.ne(pushParameter(registers, name as Parameter), value);
    br_if(leave);
  }
};

export const setParameter = (registers: HasParameters, target: Local<'i32'>, name: Parameter): void => {
  local.set(target, pushParameter(registers, name));
};
