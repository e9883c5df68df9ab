import { i32, i8x16, if_, local, memory, v128, type Local } from 'wasmati';
import { advance } from '../../../shared/engine/kernels/loops';
import { pushParameter, type Registers } from './convolution-registers';
import { FLOAT, LANES, load, repeatWhile, VECTOR } from './vectors';

/** Bytes of the first and of the second floats of four pairs. */
const EVEN = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const ODD = EVEN.map((byte) => byte + FLOAT);

/** Moves to the place of the next row: behind the last place comes the first one. */
export const goOn = ({ columns, keptEnd, rowBytes }: Registers, place: Local<'i32'>): void => {
  advance(place, rowBytes);
  i32.eq(place, keptEnd);
  if_({}, () => {
    local.set(place, columns);
  });
};

/** Pushes the address of the row of the input whose number is in `odd`. */
const pushRow = ({ input, inputWidth, odd }: Registers) =>
  i32.add(input, i32.mul(i32.mul(odd, inputWidth), FLOAT));

/** Sets the addresses for even and odd columns of the input, of which padding comes before. */
const setTargets = ({ kept, paddingLeft, oddBytes, evenTo, oddTo, even }: Registers): void => {
  local.set(evenTo, i32.add(kept, i32.mul(i32.shr_u(paddingLeft, 1), FLOAT)));
  local.set(oddTo, i32.add(evenTo, oddBytes));
  i32.and(paddingLeft, 1);
  if_({}, () => {
    local.set(even, evenTo);
    local.set(evenTo, oddTo);
    local.set(oddTo, i32.add(even, FLOAT));
  });
};

const splitVectors = ({ from, evenTo, oddTo, weight, values, turns }: Registers): void => {
  load(weight, from);
  load(values, from, VECTOR);
  v128.store({ align: FLOAT }, evenTo, i8x16.shuffle(EVEN, weight, values));
  v128.store({ align: FLOAT }, oddTo, i8x16.shuffle(ODD, weight, values));
  advance(from, 2 * VECTOR);
  advance(evenTo, VECTOR);
  advance(oddTo, VECTOR);
  advance(turns, -2 * LANES);
};

const splitFloat = ({ from, evenTo, oddTo, even, turns }: Registers): void => {
  i32.store({}, evenTo, i32.load({}, from));
  local.set(even, i32.add(evenTo, FLOAT));
  local.set(evenTo, oddTo);
  local.set(oddTo, even);
  advance(from, FLOAT);
  advance(turns, -1);
};

/** Copies a row of the input, with even and odd columns apart. */
const splitRow = (registers: Registers): void => {
  const { from, turns, inputWidth } = registers;
  setTargets(registers);
  local.set(from, pushRow(registers));
  local.set(turns, inputWidth);
  repeatWhile(
    () => i32.ge_u(turns, 2 * LANES),
    () => splitVectors(registers),
  );
  repeatWhile(
    () => local.get(turns),
    () => splitFloat(registers),
  );
};

const copyRow = (registers: Registers): void => {
  const { kept, paddingLeft, inputWidth } = registers;
  i32.add(kept, i32.mul(paddingLeft, FLOAT));
  pushRow(registers);
  i32.mul(inputWidth, FLOAT);
  memory.copy();
};

const clearRow = ({ kept, rowBytes }: Registers): void => {
  local.get(kept);
  i32.const(0);
  local.get(rowBytes);
  memory.fill();
};

/** Copies one more row, of the input or of the padding, to the place of the first of those that are kept. */
export const keepRow = (registers: Registers, stride: number): void => {
  const { row, odd, inputHeight, kept } = registers;
  local.set(odd, i32.sub(row, pushParameter(registers, 'paddingTop')));
  i32.lt_u(odd, inputHeight);
  if_(
    {},
    () => (stride === 1 ? copyRow(registers) : splitRow(registers)),
    () => clearRow(registers),
  );
  advance(row, 1);
  goOn(registers, kept);
};

/** Clears the places of rows, whose padding at both sides is not written again. */
export const clearRows = ({ columns, kept, keptEnd, row, rowsWanted, kernel }: Registers): void => {
  local.get(columns);
  i32.const(0);
  local.get(keptEnd);
  memory.fill();
  local.set(keptEnd, i32.add(columns, keptEnd));
  local.set(kept, columns);
  local.set(row, 0);
  local.set(rowsWanted, kernel);
};
