import { br_if, i32, local } from 'wasmati';
import {
  leaveUnless,
  pushParameter,
  setParameter,
  type Label,
  type Registers,
} from './convolution-registers';
import { FLOAT, LANES } from './vectors';

/** What each of these is in a convolution of one channel by one filter. */
const ONE_CHANNEL = {
  dimensions: 2,
  inputChannels: 1,
  filters: 1,
  dilationHeight: 1,
  dilationWidth: 1,
  beta: 0,
} as const;
export const KERNELS = [3, 5] as const;
export const STRIDES = [1, 2] as const;

/** Bytes of the memory that each thread has for columns: `MLAS_CONV_WORKING_BUFFER_SIZE_PER_THREAD`. */
export const COLUMNS_BYTES = 65_536;
/** Free places in a kept row: padding at both sides, and what follows an odd number of columns. */
const SLACK = 8;

const checkKind = (registers: Registers, leave: Label): void => {
  const { first, count, kernel, stride } = registers;
  local.get(first);
  br_if(leave);
  i32.ne(count, pushParameter(registers, 'outputSize'));
  br_if(leave);
  leaveUnless(registers, ONE_CHANNEL, leave);
  setParameter(registers, kernel, 'kernelWidth');
  i32.ne(kernel, pushParameter(registers, 'kernelHeight'));
  br_if(leave);
  i32.and(i32.ne(kernel, KERNELS[0]), i32.ne(kernel, KERNELS[1]));
  br_if(leave);
  setParameter(registers, stride, 'strideWidth');
  i32.ne(stride, pushParameter(registers, 'strideHeight'));
  br_if(leave);
  i32.and(i32.ne(stride, STRIDES[0]), i32.ne(stride, STRIDES[1]));
  br_if(leave);
};

/**
 * Leaves rows of fewer floats than a vector, those of which too few fit the memory for columns, and those that are longer
 * than their places: models may have negative padding.
 */
const checkSizes = (registers: Registers, leave: Label): void => {
  const { inputWidth, kernel, stride, paddingLeft, outputBytes, oddBytes, rowBytes, keptEnd } = registers;
  setParameter(registers, inputWidth, 'inputWidth');
  setParameter(registers, registers.inputHeight, 'inputHeight');
  setParameter(registers, paddingLeft, 'paddingLeft');
  i32.ge_u(paddingLeft, kernel);
  br_if(leave);
  setParameter(registers, outputBytes, 'outputWidth');
  i32.lt_u(outputBytes, LANES);
  br_if(leave);
  i32.gt_u(outputBytes, COLUMNS_BYTES);
  br_if(leave);
  i32.gt_u(i32.add(paddingLeft, inputWidth), i32.sub(i32.mul(i32.add(outputBytes, SLACK - 1), stride), 1));
  br_if(leave);
  local.set(oddBytes, i32.mul(i32.add(outputBytes, SLACK), FLOAT));
  local.set(outputBytes, i32.mul(outputBytes, FLOAT));
  local.set(rowBytes, i32.mul(oddBytes, stride));
  local.set(keptEnd, i32.mul(rowBytes, kernel));
  i32.gt_u(keptEnd, COLUMNS_BYTES);
  br_if(leave);
};

/** Leaves any convolution but that of a whole channel by one filter of a known size. Sets sizes; `keptEnd` is one yet. */
export const checkConvolution = (registers: Registers, leave: Label): void => {
  checkKind(registers, leave);
  checkSizes(registers, leave);
};
