import { i32, local, type Local } from 'wasmati';
import type { Locals } from './locals';

/** Offsets in MLAS's `MLAS_CONV_PARAMETERS` (mlas.h), in bytes. */
export const PARAMETERS = {
  activation: 0,
  dimensions: 4,
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
  /** Factor of what the output contains before. */
  beta: 124,
} as const;
export type Parameter = keyof typeof PARAMETERS;

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

export const pushParameter = (registers: Registers, name: Parameter) =>
  i32.load({ offset: PARAMETERS[name] }, registers.parameters);

export const setParameter = (registers: Registers, target: Local<'i32'>, name: Parameter): void => {
  local.set(target, pushParameter(registers, name));
};
