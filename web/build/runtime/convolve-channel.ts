import { block, call, func, i32, if_, local, return_ } from 'wasmati';
import { advance } from '../../../shared/engine/kernels/loops';
import { activate, convolveAny } from './callees';
import { checkConvolution, KERNELS, STRIDES } from './check-convolution';
import { ARGUMENTS, LOCALS, pushParameter, setParameter, type Registers } from './convolution-registers';
import { clearRows, goOn, keepRow } from './keep-rows';
import { nameLocals, typesOf } from './locals';
import { addProduct, clear, FLOAT, load, loadSplat, repeatWhile, store, VECTOR } from './vectors';

/** Calculates neighbours in a row of the output. */
const calculate = (registers: Registers, kernel: number, stride: number, vectors: number): void => {
  const { kept, from, filter, weights, weight, values, even, odd, oddBytes, x, turns, output } = registers;
  const sums = [registers.sum0, registers.sum1, registers.sum2, registers.sum3].slice(0, vectors);
  clear(sums);
  local.set(from, kept);
  local.set(weights, filter);
  local.set(turns, kernel);
  repeatWhile(
    () => local.get(turns),
    () => {
      local.set(even, i32.add(from, x));
      if (stride === 2) local.set(odd, i32.add(even, oddBytes));
      for (let column = 0; column < kernel; column++) {
        loadSplat(weight, weights, column * FLOAT);
        for (const [index, sum] of sums.entries()) {
          const offset = Math.floor(column / stride) * FLOAT + index * VECTOR;
          load(values, column % stride === 0 ? even : odd, offset);
          addProduct(sum, values, weight);
        }
      }
      advance(weights, kernel * FLOAT);
      goOn(registers, from);
      advance(turns, -1);
    },
  );
  local.set(even, i32.add(output, x));
  for (const [index, sum] of sums.entries()) store(even, index * VECTOR, sum);
  advance(x, vectors * VECTOR);
};

/** Calculates a row of the output, four vectors at once; the last vector ends where the row does. */
const calculateRow = (registers: Registers, kernel: number, stride: number): void => {
  const { x, outputBytes } = registers;
  local.set(x, 0);
  repeatWhile(
    () => i32.le_u(i32.add(x, 4 * VECTOR), outputBytes),
    () => calculate(registers, kernel, stride, 4),
  );
  repeatWhile(
    () => i32.lt_u(x, outputBytes),
    () => {
      i32.gt_u(i32.add(x, VECTOR), outputBytes);
      if_({}, () => {
        local.set(x, i32.sub(outputBytes, VECTOR));
      });
      calculate(registers, kernel, stride, 1);
    },
  );
};

const calculateRows = (registers: Registers, kernel: number, stride: number): void => {
  const { row, rowsWanted, rowsLeft, output, outputBytes } = registers;
  setParameter(registers, rowsLeft, 'outputHeight');
  repeatWhile(
    () => local.get(rowsLeft),
    () => {
      repeatWhile(
        () => i32.lt_u(row, rowsWanted),
        () => keepRow(registers, stride),
      );
      calculateRow(registers, kernel, stride);
      advance(rowsWanted, stride);
      advance(output, outputBytes);
      advance(rowsLeft, -1);
    },
  );
};

/** Adds the bias to the output and applies the activation. */
const finish = (registers: Registers): void => {
  const { output, bias, count } = registers;
  pushParameter(registers, 'activation');
  i32.sub(output, i32.mul(count, FLOAT));
  local.get(bias);
  i32.const(1);
  local.get(count);
  local.get(count);
  call(activate);
};

/**
 * Convolves one channel by one filter of 3 × 3 or 5 × 5: a part of a depthwise convolution. Any other convolution is
 * left to `convolveAny`. This stands for MLAS's `MlasConvOperation` (convolve.cpp), which copies each number of the input
 * once for each place in the kernel, and then multiplies matrices of one row.
 *
 * Of the input, only as many rows are kept as the kernel has, with zeros around them; with a stride of 2 even and odd
 * columns apart, so that neighbours in the output are neighbours in memory. Products are added in MLAS's order.
 *
 * For its parameters see `ARGUMENTS`.
 */
export const convolveChannel = func(
  { in: [i32, i32, i32, i32, i32, i32, i32, i32], locals: typesOf(LOCALS), out: [] },
  (parameters, locals) => {
    const registers: Registers = { ...nameLocals(ARGUMENTS, parameters), ...nameLocals(LOCALS, locals) };
    block({}, (leave) => {
      checkConvolution(registers, leave);
      clearRows(registers);
      for (const kernel of KERNELS) {
        for (const stride of STRIDES) {
          i32.and(i32.eq(registers.kernel, kernel), i32.eq(registers.stride, stride));
          if_({}, () => calculateRows(registers, kernel, stride));
        }
      }
      finish(registers);
      return_();
    });
    for (const argument of parameters) local.get(argument);
    call(convolveAny);
  },
);
