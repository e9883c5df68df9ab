import { block, br_if, call, func, i32, local } from 'wasmati';
import { convolveAll, countThreads } from './callees';
import { leaveUnless, PARAMETERS, pushParameter, type Label } from './convolution-registers';
import { leaveUnlessPoints, ROWS } from './convolve-points';
import { nameLocals, typesOf, type Locals } from './locals';

/** Of `MLAS_CONV_ALGORITHM` (mlas.h): one multiplication of matrices, and a part of the output for each thread. */
const WHOLE = 0;
const IN_PARTS = 2;

/** `MLAS_MAXIMUM_THREAD_COUNT`: most parts of an output. */
const MAX_PARTS = 16;
/** Parts end at a multiple of these columns. */
const ALIGNMENT = 16;
/** Smallest output, in numbers, for which parts are worth the start of threads. */
const MIN_NUMBERS = 32_768;

const ARGUMENTS = {
  numbers: ['parameters', 'input', 'filter', 'bias', 'columns', 'output', 'pool'],
} as const;
const LOCALS = { numbers: ['parts', 'size'] } as const;
type Registers = Locals<(typeof ARGUMENTS.numbers)[number] | (typeof LOCALS.numbers)[number]>;

const checkAlgorithm = (registers: Registers, leave: Label): void => {
  leaveUnless(registers, { algorithm: WHOLE, batches: 1, groups: 1, orderOrPart: ROWS }, leave);
  leaveUnlessPoints(registers, leave);
  i32.ne(pushParameter(registers, 'matrixStride'), pushParameter(registers, 'outputSize'));
  br_if(leave);
  i32.lt_u(i32.mul(pushParameter(registers, 'outputSize'), pushParameter(registers, 'filters')), MIN_NUMBERS);
  br_if(leave);
};

const setAlgorithm = (registers: Registers, leave: Label): void => {
  const { parameters, pool, parts, size } = registers;
  local.get(pool);
  call(countThreads);
  local.set(parts);
  i32.gt_u(parts, MAX_PARTS);
  br_if(leave);
  local.set(size, i32.div_u(i32.add(pushParameter(registers, 'outputSize'), i32.sub(parts, 1)), parts));
  local.set(size, i32.and(i32.add(size, ALIGNMENT - 1), -ALIGNMENT));
  i32.store({ offset: PARAMETERS.orderOrPart }, parameters, size);
  i32.store({ offset: PARAMETERS.algorithm }, parameters, IN_PARTS);
};

/**
 * Convolves images. This stands for MLAS's `MlasConv` (convolve.cpp), which shares a convolution of each pixel (1 × 1)
 * out among threads as a multiplication, and then adds the bias and activates in one thread. Here each thread does both
 * for its part of the output (`convolvePoints`). Any other convolution is left as it was.
 *
 * Parameters: addresses of the parameters, the input, the filters, the bias, memory for columns and the output; the pool
 * of threads.
 */
export const convolveInParts = func(
  { in: [i32, i32, i32, i32, i32, i32, i32], locals: typesOf(LOCALS), out: [] },
  (parameters, locals) => {
    const registers = { ...nameLocals(ARGUMENTS, parameters), ...nameLocals(LOCALS, locals) };
    block({}, (leave) => {
      checkAlgorithm(registers, leave);
      setAlgorithm(registers, leave);
    });
    for (const argument of parameters) local.get(argument);
    call(convolveAll);
  },
);
