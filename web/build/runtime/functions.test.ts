import { expect, it } from 'vitest';
import { instantiateFunctions } from './assemble-functions';
import { COLUMNS_BYTES } from './check-convolution';
import { PARAMETERS } from './convolution-registers';

const FLOAT = 4;
/** What the memory contains where nothing was written. */
const UNTOUCHED = -7;

const { multiplyRows, multiplyAndAddRows, convolveChannel, memory } = await instantiateFunctions();
const floats = new Float32Array(memory.buffer);
const integers = new Int32Array(memory.buffer);

/** Copies numbers to consecutive places, behind a free one. @returns addresses */
const place = (...parts: readonly (readonly number[])[]): number[] => {
  floats.fill(UNTOUCHED);
  let end = 1;
  return parts.map((part) => {
    const start = end;
    floats.set(part, start);
    end += part.length + 1;
    return start * FLOAT;
  });
};
const read = (address: number, length: number): number[] => [
  ...floats.subarray(address / FLOAT, address / FLOAT + length),
];
const wave = (length: number, phase: number): number[] =>
  Array.from({ length }, (_, index) => Math.round(50 * Math.sin(index * 1.7 + phase)));
const zeros = (length: number): number[] => Array.from({ length }, () => 0);

const PANEL = 16;
/** A matrix of rows as panels: 16 columns each, the last one filled with zeros. */
const panelsOf = (matrix: readonly number[], rows: number, columns: number): number[] =>
  Array.from({ length: Math.ceil(columns / PANEL) }, (_panel, panel) =>
    Array.from({ length: rows * PANEL }, (_number, index) => {
      const column = panel * PANEL + (index % PANEL);
      return column < columns ? matrix[Math.floor(index / PANEL) * columns + column]! : 0;
    }),
  ).flat();

it.each([
  [6, 64, 48],
  [6, 7, 13],
  [5, 9, 8],
  [4, 1, 21],
  [3, 30, 16],
  [2, 5, 3],
  [1, 4, 31],
  [13, 6, 1],
])(
  'rows of a matrix of %i × %i are multiplied by one of %i columns, all in the end',
  (rows, inner, columns) => {
    const [first, second] = [wave(rows * inner, 0), wave(inner * columns, 1)];
    const product = Array.from({ length: rows * columns }, (_, index) => {
      const [row, column] = [Math.floor(index / columns), index % columns];
      return first
        .slice(row * inner, (row + 1) * inner)
        .reduce((sum, value, step) => sum + value * second[step * columns + column]!, 0);
    });
    for (const adds of [false, true]) {
      const before = wave(rows * columns, 2);
      const [matrix, panels, target, end] = place(first, panelsOf(second, inner, columns), before, []) as [
        number,
        number,
        number,
        number,
      ];
      for (let row = 0; row < rows;) {
        const [from, to] = [matrix + row * inner * FLOAT, target + row * columns * FLOAT];
        const multiply = adds ? multiplyAndAddRows : multiplyRows;
        const calculated = multiply(from, panels, to, inner, rows - row, columns, inner, columns, 2);
        expect(calculated).toBeGreaterThan(0);
        row += calculated;
      }
      expect(read(target, rows * columns)).toEqual(
        product.map((value, index) => 2 * value + (adds ? before[index]! : 0)),
      );
      expect(read(end - FLOAT, 1)).toEqual([UNTOUCHED]);
    }
  },
);

interface Convolution {
  readonly size: readonly [width: number, height: number];
  readonly kernel: number;
  readonly stride: number;
  readonly padding: readonly [top: number, left: number, bottom: number, right: number];
}

const convolve = (
  { size: [width, height], kernel, stride, padding: [top, left, bottom, right] }: Convolution,
  changes: Partial<Record<keyof typeof PARAMETERS, number>> = {},
): { readonly found: number[]; readonly expected: number[]; readonly behind: number[] } => {
  const outputWidth = Math.floor((width + left + right - kernel) / stride) + 1;
  const outputHeight = Math.floor((height + top + bottom - kernel) / stride) + 1;
  const count = outputWidth * outputHeight;
  const [image, weights] = [wave(width * height, 0), wave(kernel * kernel, 1)];
  const pixel = (x: number, y: number): number =>
    x >= 0 && x < width && y >= 0 && y < height ? image[y * width + x]! : 0;
  const expected = Array.from({ length: count }, (_, index) => {
    const [x, y] = [(index % outputWidth) * stride - left, Math.floor(index / outputWidth) * stride - top];
    return weights.reduce(
      (sum, weight, tap) => sum + weight * pixel(x + (tap % kernel), y + Math.floor(tap / kernel)),
      0,
    );
  });
  const [parameters, input, filter, columns, output, end] = place(
    zeros(40),
    image,
    weights,
    zeros(COLUMNS_BYTES / FLOAT),
    Array.from({ length: count }, () => UNTOUCHED),
    [],
  ) as [number, number, number, number, number, number];
  const values = {
    dimensions: 2,
    inputChannels: 1,
    inputHeight: height,
    inputWidth: width,
    kernelHeight: kernel,
    kernelWidth: kernel,
    dilationHeight: 1,
    dilationWidth: 1,
    paddingTop: top,
    paddingLeft: left,
    strideHeight: stride,
    strideWidth: stride,
    filters: 1,
    outputHeight,
    outputWidth,
    outputSize: count,
    ...changes,
  };
  for (const [name, value] of Object.entries(values)) {
    integers[(parameters + PARAMETERS[name as keyof typeof PARAMETERS]) / FLOAT] = value;
  }
  convolveChannel(parameters, input, filter, 0, columns, output, 0, count);
  return {
    found: read(output, count),
    expected,
    behind: [...read(columns - FLOAT, 1), ...read(end - FLOAT, 1)],
  };
};

const ROUND: Convolution['padding'] = [1, 1, 1, 1];

it.each<Convolution>([
  { size: [40, 9], kernel: 3, stride: 1, padding: ROUND },
  { size: [37, 8], kernel: 3, stride: 2, padding: ROUND },
  { size: [40, 9], kernel: 3, stride: 2, padding: [0, 0, 1, 1] },
  { size: [21, 7], kernel: 5, stride: 1, padding: [2, 2, 2, 2] },
  { size: [70, 11], kernel: 5, stride: 2, padding: [2, 2, 2, 2] },
  { size: [33, 11], kernel: 5, stride: 2, padding: [1, 1, 2, 2] },
  { size: [4, 1], kernel: 3, stride: 1, padding: ROUND },
  { size: [8, 2], kernel: 5, stride: 2, padding: [4, 4, 4, 4] },
  { size: [5, 40], kernel: 3, stride: 1, padding: [2, 0, 0, 2] },
  { size: [3264, 3], kernel: 5, stride: 1, padding: [2, 2, 2, 2] },
])('a channel is convolved: %o', (convolution) => {
  const { found, expected, behind } = convolve(convolution);
  expect(found).toEqual(expected);
  expect(behind).toEqual([UNTOUCHED, UNTOUCHED]);
});

it.each<[string, Convolution, Parameters<typeof convolve>[1]?]>([
  ['a kernel of another size', { size: [40, 9], kernel: 7, stride: 1, padding: ROUND }],
  ['a larger stride', { size: [40, 9], kernel: 3, stride: 3, padding: ROUND }],
  ['rows that are too short', { size: [3, 9], kernel: 3, stride: 1, padding: ROUND }],
  ['rows that are too long', { size: [3270, 3], kernel: 5, stride: 1, padding: [2, 2, 2, 2] }],
  ['a negative padding', { size: [60, 9], kernel: 3, stride: 1, padding: [1, 1, 1, -30] }],
  ['several channels', { size: [40, 9], kernel: 3, stride: 1, padding: ROUND }, { inputChannels: 2 }],
  ['several filters', { size: [40, 9], kernel: 3, stride: 1, padding: ROUND }, { filters: 2 }],
  ['a kernel with gaps', { size: [40, 9], kernel: 3, stride: 1, padding: ROUND }, { dilationWidth: 2 }],
  ['a sum with the output', { size: [40, 9], kernel: 3, stride: 1, padding: ROUND }, { beta: 1 }],
  ['a part of the output', { size: [40, 9], kernel: 3, stride: 1, padding: ROUND }, { outputSize: 400 }],
  ['lines', { size: [40, 9], kernel: 3, stride: 1, padding: ROUND }, { dimensions: 1 }],
])('%s is left to onnxruntime', (_what, convolution, changes) => {
  const { found } = convolve(convolution, changes);
  expect(new Set(found)).toEqual(new Set([UNTOUCHED]));
});
