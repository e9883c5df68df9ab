import { block, br_if, call, f32, func, i32, if_, local, return_ } from 'wasmati';
import { activate, convolveOneChannel, multiply } from './callees';
import {
  ARGUMENTS,
  leaveUnless,
  PARAMETERS,
  pushParameter,
  type HasParameters,
  type Label,
} from './convolution-registers';
import { nameLocals, typesOf, type Locals } from './locals';
import { FLOAT, repeatWhile } from './vectors';

/** Columns of the output that are calculated at once: they are still in the cache when they are activated. */
const COLUMNS = 256;
/** `CblasNoTrans`: rows of a matrix follow each other. */
export const ROWS = 111;

const POINTS = {
  dimensions: 2,
  kernelHeight: 1,
  kernelWidth: 1,
  paddingTop: 0,
  paddingLeft: 0,
  strideHeight: 1,
  strideWidth: 1,
} as const;

/** Leaves all convolutions but those of each pixel alone. */
export const leaveUnlessPoints = (registers: HasParameters, leave: Label): void => {
  leaveUnless(registers, POINTS, leave);
  for (const [input, output] of [
    ['inputHeight', 'outputHeight'],
    ['inputWidth', 'outputWidth'],
  ] as const) {
    i32.ne(pushParameter(registers, input), pushParameter(registers, output));
    br_if(leave);
  }
};

const LOCALS = { numbers: ['columnsNow', 'offset'] } as const;
type Registers = Locals<(typeof ARGUMENTS.numbers)[number] | (typeof LOCALS.numbers)[number]>;

const multiplyColumns = (registers: Registers): void => {
  const { parameters, input, filter, output, columnsNow, offset } = registers;
  i32.const(ROWS);
  i32.const(ROWS);
  pushParameter(registers, 'filters');
  local.get(columnsNow);
  pushParameter(registers, 'inner');
  f32.const(1);
  local.get(filter);
  pushParameter(registers, 'inner');
  i32.add(input, offset);
  pushParameter(registers, 'outputSize');
  f32.load({ offset: PARAMETERS.beta }, parameters);
  i32.add(output, offset);
  pushParameter(registers, 'outputSize');
  call(multiply);
};

const activateColumns = (registers: Registers): void => {
  const { output, bias, columnsNow, offset } = registers;
  pushParameter(registers, 'activation');
  i32.add(output, offset);
  local.get(bias);
  pushParameter(registers, 'filters');
  local.get(columnsNow);
  pushParameter(registers, 'outputSize');
  call(activate);
};

const calculateColumns = (registers: Registers): void => {
  const { first, count, columnsNow, offset } = registers;
  local.set(columnsNow, COLUMNS);
  i32.lt_u(count, COLUMNS);
  if_({}, () => {
    local.set(columnsNow, count);
  });
  local.set(offset, i32.mul(first, FLOAT));
  multiplyColumns(registers);
  activateColumns(registers);
  local.set(first, i32.add(first, columnsNow));
  local.set(count, i32.sub(count, columnsNow));
};

/**
 * Convolves a part of an image pixel by pixel (1 × 1): multiplies filters by the input, and adds the bias and activates
 * while the sums are in the cache. Any other convolution is left to `convolveOneChannel`. This stands for MLAS's
 * `MlasConvOperation` (convolve.cpp), which copies the input for that; see `convolveInParts`.
 *
 * For its parameters see `ARGUMENTS`.
 */
export const convolvePoints = func(
  { in: [i32, i32, i32, i32, i32, i32, i32, i32], locals: typesOf(LOCALS), out: [] },
  (parameters, locals) => {
    const registers = { ...nameLocals(ARGUMENTS, parameters), ...nameLocals(LOCALS, locals) };
    block({}, (leave) => {
      leaveUnlessPoints(registers, leave);
      repeatWhile(
        () => local.get(registers.count),
        () => calculateColumns(registers),
      );
      return_();
    });
    for (const argument of parameters) local.get(argument);
    call(convolveOneChannel);
  },
);
