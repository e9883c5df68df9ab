import { beforeEach, expect, it } from 'vitest';
import { instantiateFunctions } from './assemble-functions';
import { calls } from './callees';
import { PARAMETERS, type Parameter } from './convolution-registers';

const { convolvePoints, convolveInParts, memory } = await instantiateFunctions();
const integers = new Int32Array(memory.buffer);

const FLOAT = 4;
const BY_ROWS = 111;
/** Address of the parameters. */
const AT = 64;
const [INPUT, FILTER, BIAS, COLUMNS, OUTPUT] = [1_000, 2_000, 3_000, 4_000, 50_000];
const ACTIVATION = 7;

const POINTS: Partial<Record<Parameter, number>> = {
  activation: ACTIVATION,
  dimensions: 2,
  batches: 1,
  groups: 1,
  kernelHeight: 1,
  kernelWidth: 1,
  paddingTop: 0,
  paddingLeft: 0,
  strideHeight: 1,
  strideWidth: 1,
  inputHeight: 50,
  inputWidth: 100,
  outputHeight: 50,
  outputWidth: 100,
  outputSize: 5_000,
  filters: 8,
  inner: 3,
  beta: 0,
  algorithm: 0,
  orderOrPart: BY_ROWS,
  matrixStride: 5_000,
};

const setParameters = (changes: Partial<Record<Parameter, number>> = {}): void => {
  for (const [name, value] of Object.entries({ ...POINTS, ...changes })) {
    integers[(AT + PARAMETERS[name as Parameter]) / FLOAT] = value;
  }
};
const read = (name: Parameter): number => integers[(AT + PARAMETERS[name]) / FLOAT]!;

beforeEach(() => {
  calls.length = 0;
});

it('a part of an image is multiplied and activated 256 columns at a time, and no other columns are', () => {
  setParameters();
  convolvePoints(AT, INPUT, FILTER, BIAS, COLUMNS, OUTPUT, 16, 600);
  const parts = [
    [16, 256],
    [272, 256],
    [528, 88],
  ] as const;
  expect(calls).toEqual(
    parts.flatMap(([first, count]) => {
      const [from, to] = [INPUT + first * FLOAT, OUTPUT + first * FLOAT];
      return [
        ['multiply', BY_ROWS, BY_ROWS, 8, count, 3, 1, FILTER, 3, from, 5_000, 0, to, 5_000],
        ['activate', ACTIVATION, to, BIAS, 8, count, 5_000],
      ];
    }),
  );
});

const OTHERS: readonly (readonly [string, Partial<Record<Parameter, number>>])[] = [
  ['lines', { dimensions: 1 }],
  ['a high kernel', { kernelHeight: 3 }],
  ['a wide kernel', { kernelWidth: 3 }],
  ['padding above', { paddingTop: 1 }],
  ['padding at the left', { paddingLeft: 1 }],
  ['every second row', { strideHeight: 2 }],
  ['every second column', { strideWidth: 2 }],
  ['an output of another height', { outputHeight: 49 }],
  ['an output of another width', { outputWidth: 99 }],
];

it.each(OTHERS)('a convolution with %s is not one of points', (_what, changes) => {
  setParameters(changes);
  convolvePoints(AT, INPUT, FILTER, BIAS, COLUMNS, OUTPUT, 0, 5_000);
  expect(calls).toEqual([['convolveOneChannel', AT, INPUT, FILTER, BIAS, COLUMNS, OUTPUT, 0, 5_000]]);
});

it.each([
  [1, 5_008],
  [2, 2_512],
  [4, 1_264],
  [16, 320],
])('an image of 5,000 points is shared out among %i threads in parts of %i', (threads, size) => {
  setParameters();
  convolveInParts(AT, INPUT, FILTER, BIAS, COLUMNS, OUTPUT, threads);
  expect(calls).toEqual([['convolveAll', AT, INPUT, FILTER, BIAS, COLUMNS, OUTPUT, threads]]);
  expect([read('algorithm'), read('orderOrPart')]).toEqual([2, size]);
});

it.each([
  ...OTHERS,
  ['another algorithm', { algorithm: 1 }],
  ['several images', { batches: 2 }],
  ['several groups', { groups: 2 }],
  ['a matrix by columns', { orderOrPart: 112 }],
  ['rows of another length', { matrixStride: 5_001 }],
  ['a small output', { filters: 6 }],
] as const)('a convolution with %s is not shared out anew', (_what, changes) => {
  setParameters(changes);
  const before = [read('algorithm'), read('orderOrPart')];
  convolveInParts(AT, INPUT, FILTER, BIAS, COLUMNS, OUTPUT, 2);
  expect(calls).toEqual([['convolveAll', AT, INPUT, FILTER, BIAS, COLUMNS, OUTPUT, 2]]);
  expect([read('algorithm'), read('orderOrPart')]).toEqual(before);
});

it('more threads than an output can have parts leave a convolution as it is', () => {
  setParameters();
  convolveInParts(AT, INPUT, FILTER, BIAS, COLUMNS, OUTPUT, 17);
  expect(read('algorithm')).toBe(0);
});
