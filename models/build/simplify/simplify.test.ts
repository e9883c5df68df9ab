import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { OnnxBuilder } from '../onnx/builder';
import { encodeOnnx } from '../onnx/encode';
import type { OnnxGraph } from '../onnx/graph';
import { rewriteAll } from './rewriter';
import { simplify } from './simplify';
import { splitExpansions } from './split-expansions';

const CHANNELS = 4;
const SIDE = 6;
/** Repeatable values between −1 and 1. */
const values = (length: number, seed: number) =>
  Float32Array.from({ length }, (_, i) => Math.sin(seed + 12.9898 * i));

const KERNEL = 3;

const convolve = (builder: OnnxBuilder, input: string, seed: number, pad = 0) =>
  builder.node(
    'Conv',
    [
      input,
      builder.floats(values(CHANNELS * CHANNELS * KERNEL * KERNEL, seed), [
        CHANNELS,
        CHANNELS,
        KERNEL,
        KERNEL,
      ]),
      builder.floats(values(CHANNELS, seed + 1), [CHANNELS]),
    ],
    { kernel_shape: [KERNEL, KERNEL], pads: [pad, pad, pad, pad] },
  );

/** The form in which exporters write a hard swish. */
function hardSwish(builder: OnnxBuilder, x: string): string {
  const shifted = builder.node('Add', [x, builder.scalar(3)]);
  const clipped = builder.node('Clip', [shifted, builder.scalar(0), builder.scalar(6)]);
  return builder.node('Div', [builder.node('Mul', [x, clipped]), builder.scalar(6)]);
}

const scaleAndShift = (builder: OnnxBuilder, x: string, scale: number, shift: number) =>
  builder.node('Add', [builder.node('Mul', [builder.scalar(scale), x]), builder.scalar(shift)]);

function graphOf(body: (builder: OnnxBuilder, input: string) => string): OnnxGraph {
  const builder = new OnnxBuilder();
  builder.input('x', [1, CHANNELS, SIDE, SIDE]);
  builder.output('y', body(builder, 'x'), [1, CHANNELS, 'height', 'width']);
  return builder.graph;
}

async function run(graph: OnnxGraph): Promise<Float32Array> {
  const session = await InferenceSession.create(encodeOnnx(graph, 'test'));
  const x = new Tensor(
    'float32',
    values(CHANNELS * SIDE * SIDE, 7).map((value) => 5 * value),
    [1, CHANNELS, SIDE, SIDE],
  );
  const { y } = await session.run({ x });
  return y?.data as Float32Array;
}

const operations = ({ nodes }: OnnxGraph) => nodes.map(({ op }) => op);

describe('a simplified graph', () => {
  it.each<[string, (builder: OnnxBuilder, input: string) => string, string[]]>([
    [
      'folds a scale and shift into the convolution before it',
      (b, x) => scaleAndShift(b, convolve(b, x, 1), 0.7, -0.2),
      ['Conv', 'Identity'],
    ],
    [
      'folds a shift per channel into the convolution before it',
      (b, x) => b.node('Add', [convolve(b, x, 1), b.floats(values(CHANNELS, 3), [CHANNELS, 1, 1])]),
      ['Conv', 'Identity'],
    ],
    [
      'does not change a convolution that is used twice',
      (b, x) => {
        const shared = convolve(b, x, 1);
        return b.node('Mul', [b.node('Add', [shared, b.scalar(2)]), shared]);
      },
      ['Conv', 'Add', 'Mul', 'Identity'],
    ],
    [
      'replaces a hard swish by a hard sigmoid and a product',
      (b, x) => hardSwish(b, convolve(b, x, 1)),
      ['Conv', 'HardSigmoid', 'Mul', 'Identity'],
    ],
    [
      'folds a scale and shift into a convolution without padding after it',
      (b, x) => convolve(b, scaleAndShift(b, hardSwish(b, convolve(b, x, 1)), 0.7, -0.2), 2),
      ['Conv', 'HardSigmoid', 'Mul', 'Conv', 'Identity'],
    ],
    [
      'does not fold a shift into a padded convolution, whose border it would change',
      (b, x) => convolve(b, scaleAndShift(b, hardSwish(b, convolve(b, x, 1)), 0.7, -0.2), 2, 1),
      ['Conv', 'HardSigmoid', 'Mul', 'Conv', 'Conv', 'Identity'],
    ],
  ])('%s, and computes the same', async (_, body, expected) => {
    const graph = graphOf(body);
    const simplified = simplify(graph);
    expect(operations(simplified)).toEqual(expected);
    const [before, after] = [await run(graph), await run(simplified)];
    expect(after).toHaveLength(before.length);
    for (const [i, value] of before.entries()) expect(after[i]).toBeCloseTo(value, 4);
  });

  it('keeps a value that is also an output of the graph', () => {
    const builder = new OnnxBuilder();
    builder.input('x', [1, CHANNELS, SIDE, SIDE]);
    const convolved = convolve(builder, 'x', 1);
    builder.output('a', convolved, [1, CHANNELS, 'height', 'width']);
    builder.output('b', builder.node('Mul', [convolved, builder.scalar(2)]), [
      1,
      CHANNELS,
      'height',
      'width',
    ]);
    expect(operations(simplify(builder.graph))).toEqual(['Conv', 'Identity', 'Mul', 'Identity']);
  });

  it('has no batch normalisation after a convolution or a transposed convolution, and computes the same', async () => {
    const perChannel = (b: OnnxBuilder, seed: number) => b.floats(values(CHANNELS, seed), [CHANNELS]);
    const normalised = (b: OnnxBuilder, x: string) =>
      b.node(
        'BatchNormalization',
        [
          x,
          perChannel(b, 2),
          perChannel(b, 3),
          perChannel(b, 4),
          b.floats(new Float32Array(CHANNELS).fill(0.7), [CHANNELS]),
        ],
        { epsilon: { float: 1e-3 } },
      );
    const graph = graphOf((b, x) => {
      const up = b.node(
        'ConvTranspose',
        [
          normalised(b, convolve(b, x, 1)),
          b.floats(values(CHANNELS * CHANNELS * 4, 9), [CHANNELS, CHANNELS, 2, 2]),
        ],
        { kernel_shape: [2, 2], strides: [2, 2] },
      );
      return normalised(b, up);
    });
    const simplified = simplify(graph);
    expect(operations(simplified)).toEqual(['Conv', 'ConvTranspose', 'Identity']);
    const [before, after] = [await run(graph), await run(simplified)];
    for (const [i, value] of before.entries()) expect(after[i]).toBeCloseTo(value, 4);
  });
});

describe('a wide inverted residual', () => {
  const WIDE = 64;
  const weights = (b: OnnxBuilder, dims: readonly number[], seed: number) =>
    b.floats(
      values(
        dims.reduce((product, side) => product * side, 1),
        seed,
      ),
      dims,
    );
  const residual = (b: OnnxBuilder, x: string): string => {
    const expand = b.node('Conv', [x, weights(b, [WIDE, CHANNELS, 1, 1], 1), weights(b, [WIDE], 2)], {
      kernel_shape: [1, 1],
    });
    const filter = b.node(
      'Conv',
      [b.node('Relu', [expand]), weights(b, [WIDE, 1, 3, 3], 3), weights(b, [WIDE], 4)],
      { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [2, 2], group: WIDE },
    );
    return b.node(
      'Conv',
      [b.node('Relu', [filter]), weights(b, [CHANNELS, WIDE, 1, 1], 5), weights(b, [CHANNELS], 6)],
      { kernel_shape: [1, 1] },
    );
  };
  const split = (graph: OnnxGraph, parts: number) =>
    rewriteAll(graph, splitExpansions([graph.nodes[0]?.output ?? ''], parts));

  it('is computed in parts with the same result', async () => {
    const graph = graphOf(residual);
    const inParts = split(graph, 2);
    const part = ['Conv', 'Relu', 'Conv', 'Relu', 'Conv'];
    expect(operations(inParts)).toEqual([...part, ...part, 'Add', 'Identity']);
    const [before, after] = [await run(graph), await run(inParts)];
    expect(after).toHaveLength(before.length);
    for (const [i, value] of before.entries()) expect(after[i]).toBeCloseTo(value, 3);
  });

  it('does not change if a part would have fewer channels than the minimum', () => {
    const graph = graphOf(residual);
    expect(operations(split(graph, 4))).toEqual(operations(graph));
  });
});
