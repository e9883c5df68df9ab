import { br, f32, f32x4, func, i32, if_, local, loop, return_, type Local } from 'wasmati';
import { advance } from '../../../shared/engine/kernels/loops';
import { nameLocals, typesOf, type Locals } from './locals';
import { addProduct, clear, FLOAT, LANES, load, loadSplat, repeatWhile, store, VECTOR } from './vectors';

/** Floats of a row of a panel: a part of the second matrix, whose rows follow each other. */
const PANEL = 16;
/** Steps along the rows of the first matrix in one turn of the inner loop. */
const STEPS = 4;

/** A part of the target that is calculated at once: its rows, and its columns in vectors. */
interface Block {
  readonly rows: number;
  readonly vectors: number;
}

/**
 * The largest that suits the rows that are left.
 *
 * The 12 sums of the largest, two vectors of the panel and a number fill the 15 registers that engines have on x86. With
 * one more, each turn of the loop would store and load sums.
 */
const BLOCKS: readonly Block[] = [
  { rows: 6, vectors: 2 },
  { rows: 4, vectors: 2 },
  { rows: 2, vectors: 4 },
  { rows: 1, vectors: 4 },
];

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);
const named = <Name extends string>(name: Name, count: number): readonly `${Name}${number}`[] =>
  range(count).map((index) => `${name}${index}` as const);

const PARAMETERS = {
  numbers: ['matrix', 'panels', 'target', 'inner', 'rowsLeft', 'columns', 'matrixStride', 'targetStride'],
} as const;
const LOCALS = {
  numbers: ['panel', 'to', 'columnsLeft', 'from', 'turns', 'rest', ...named('start', 6)],
  vectors: ['number', 'factor', ...named('sum', 12), ...named('column', 4)],
} as const;
type Names = (typeof PARAMETERS.numbers)[number] | (typeof LOCALS.numbers)[number];

interface Registers extends Locals<Names, (typeof LOCALS.vectors)[number]> {
  /** Whether the product is added to the target. */
  readonly adds: boolean;
}

const startOf = (registers: Registers, row: number): Local<'i32'> => registers[`start${row}`]!;
const sumOf = (registers: Registers, { vectors }: Block, row: number, vector: number): Local<'v128'> =>
  registers[`sum${row * vectors + vector}`]!;

/** Sets the addresses of rows that follow each other. */
const setStarts = (registers: Registers, rows: number, first: Local<'i32'>, stride: Local<'i32'>): void => {
  local.set(startOf(registers, 0), first);
  for (const row of range(rows - 1)) {
    local.set(startOf(registers, row + 1), i32.add(startOf(registers, row), stride));
  }
};

const addStep = (registers: Registers, block: Block, step: number): void => {
  for (const vector of range(block.vectors)) {
    load(registers[`column${vector}`]!, registers.from, step * PANEL * FLOAT + vector * VECTOR);
  }
  for (const row of range(block.rows)) {
    loadSplat(registers.number, startOf(registers, row), step * FLOAT);
    for (const vector of range(block.vectors)) {
      addProduct(sumOf(registers, block, row, vector), registers.number, registers[`column${vector}`]!);
    }
  }
};

/** Adds products while a number of steps is left. */
const addSteps = (registers: Registers, block: Block, steps: number): void => {
  const { from, turns } = registers;
  repeatWhile(
    () => i32.ge_u(turns, steps),
    () => {
      for (const step of range(steps)) addStep(registers, block, step);
      for (const row of range(block.rows)) advance(startOf(registers, row), steps * FLOAT);
      advance(from, steps * PANEL * FLOAT);
      advance(turns, -steps);
    },
  );
};

const storeVector = (registers: Registers, block: Block, vector: number): void => {
  const { adds, number } = registers;
  for (const row of range(block.rows)) {
    const sum = sumOf(registers, block, row, vector);
    if (adds) {
      load(number, startOf(registers, row), vector * VECTOR);
      local.set(sum, f32x4.add(sum, number));
    }
    store(startOf(registers, row), vector * VECTOR, sum);
  }
};

/** Stores the first `rest` of the floats of a vector. */
const storeFloats = (registers: Registers, block: Block, vector: number): void => {
  for (const lane of range(LANES - 1)) {
    const place = { offset: vector * VECTOR + lane * FLOAT };
    i32.ge_s(registers.rest, lane + 1);
    if_({}, () => {
      for (const row of range(block.rows)) {
        local.get(startOf(registers, row));
        f32x4.extract_lane(lane, sumOf(registers, block, row, vector));
        if (registers.adds) {
          f32.load(place, startOf(registers, row));
          f32.add();
        }
        f32.store(place);
      }
    });
  }
};

const storeRest = (registers: Registers, block: Block, firstColumn: number): void => {
  const { rest, columnsLeft } = registers;
  local.set(rest, i32.sub(columnsLeft, firstColumn));
  for (const vector of range(block.vectors)) {
    i32.ge_s(rest, LANES);
    if_(
      {},
      () => storeVector(registers, block, vector),
      () => storeFloats(registers, block, vector),
    );
    advance(rest, -LANES);
  }
};

const storeBlock = (registers: Registers, block: Block, firstColumn: number): void => {
  const { to, rest, targetStride, columnsLeft } = registers;
  local.set(rest, i32.add(to, firstColumn * FLOAT));
  setStarts(registers, block.rows, rest, targetStride);
  i32.ge_u(columnsLeft, firstColumn + block.vectors * LANES);
  if_(
    {},
    () => {
      for (const vector of range(block.vectors)) storeVector(registers, block, vector);
    },
    () => storeRest(registers, block, firstColumn),
  );
};

const calculateBlock = (registers: Registers, block: Block, firstColumn: number): void => {
  const { matrix, matrixStride, from, panel, turns, inner, factor } = registers;
  const sums = range(block.rows * block.vectors).map((index) => registers[`sum${index}`]!);
  setStarts(registers, block.rows, matrix, matrixStride);
  local.set(from, i32.add(panel, firstColumn * FLOAT));
  clear(sums);
  local.set(turns, inner);
  addSteps(registers, block, STEPS);
  addSteps(registers, block, 1);
  for (const sum of sums) local.set(sum, f32x4.mul(sum, factor));
  storeBlock(registers, block, firstColumn);
};

const calculateRows = (registers: Registers, block: Block): void => {
  const { panel, panels, to, target, columnsLeft, columns, inner } = registers;
  local.set(panel, panels);
  local.set(to, target);
  local.set(columnsLeft, columns);
  loop({}, () => {
    calculateBlock(registers, block, 0);
    const width = block.vectors * LANES;
    for (let column = width; column < PANEL; column += width) {
      i32.gt_u(columnsLeft, column);
      if_({}, () => calculateBlock(registers, block, column));
    }
    local.set(panel, i32.add(panel, i32.mul(inner, PANEL * FLOAT)));
    advance(to, PANEL * FLOAT);
    i32.gt_u(columnsLeft, PANEL);
    if_({}, () => {
      advance(columnsLeft, -PANEL);
      br(1);
    });
  });
  i32.const(block.rows);
  return_();
};

/**
 * Multiplies rows of a matrix by a matrix in panels: what MLAS, onnxruntime's library, calls `MlasSgemmKernelZero` and
 * `MlasSgemmKernelAdd` (sgemm.cpp). Callers go on at the row after the last one that was calculated.
 *
 * Parameters:
 * - addresses of the first matrix, of the panels (16 floats a row, the last panel filled with zeros), of the target;
 * - columns of the first matrix, its rows that are left, columns of the target;
 * - floats from row to row of the first matrix and of the target;
 * - factor of the product.
 *
 * It returns the number of rows that were calculated.
 *
 * @param adds whether the product is added to the target instead of replacing it
 */
export const createRowMultiplication = (adds: boolean) =>
  func(
    { in: [i32, i32, i32, i32, i32, i32, i32, i32, f32], locals: typesOf(LOCALS), out: [i32] },
    (parameters, locals) => {
      const registers = { ...nameLocals(PARAMETERS, parameters), ...nameLocals(LOCALS, locals), adds };
      const { matrixStride, targetStride, factor, rowsLeft } = registers;
      local.set(matrixStride, i32.mul(matrixStride, FLOAT));
      local.set(targetStride, i32.mul(targetStride, FLOAT));
      local.set(factor, f32x4.splat(parameters[8]));
      for (const block of BLOCKS) {
        i32.ge_u(rowsLeft, block.rows);
        if_({}, () => calculateRows(registers, block));
      }
      i32.const(0);
    },
  );
