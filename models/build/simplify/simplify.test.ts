import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { OnnxBuilder } from '../onnx/builder';
import { encodeOnnx } from '../onnx/encode';
import type { OnnxGraph } from '../onnx/graph';
import { enlargeByRearrangement, rearrangeLast } from './enlarge-last';
import { gateOnce } from './gate-once';
import { rewriteAll, type Rule } from './rewriter';
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

/** The form in which one exporter writes a hard swish. */
function hardSwish(builder: OnnxBuilder, x: string): string {
  const shifted = builder.node('Add', [x, builder.scalar(3)]);
  const clipped = builder.node('Clip', [shifted, builder.scalar(0), builder.scalar(6)]);
  return builder.node('Div', [builder.node('Mul', [x, clipped]), builder.scalar(6)]);
}

/** Another form, in which the sixth was rounded to float16. */
function roundedHardSwish(builder: OnnxBuilder, x: string): string {
  const shifted = builder.node('Add', [x, builder.scalar(3)]);
  const clipped = builder.node('Clip', [shifted, builder.scalar(0), builder.scalar(6)]);
  return builder.node('Mul', [builder.node('Mul', [builder.scalar(0.16662598), x]), clipped]);
}

/** One value for each channel, from the means of the whole map. */
const gate = (builder: OnnxBuilder, x: string, seed: number): string =>
  builder.node('Sigmoid', [convolve(builder, builder.node('GlobalAveragePool', [x]), seed, 1)]);

const enlarge = (builder: OnnxBuilder, x: string, seed: number): string => {
  const weights = builder.floats(values(CHANNELS * CHANNELS * 4, seed), [CHANNELS, CHANNELS, 2, 2]);
  const enlarged = builder.node('ConvTranspose', [x, weights], { kernel_shape: [2, 2], strides: [2, 2] });
  return builder.node('Add', [enlarged, builder.floats(values(CHANNELS, seed + 1), [1, CHANNELS, 1, 1])]);
};

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
      ['Conv'],
    ],
    [
      'folds a shift per channel into the convolution before it',
      (b, x) => b.node('Add', [convolve(b, x, 1), b.floats(values(CHANNELS, 3), [CHANNELS, 1, 1])]),
      ['Conv'],
    ],
    [
      'does not change a convolution that is used twice',
      (b, x) => {
        const shared = convolve(b, x, 1);
        return b.node('Mul', [b.node('Add', [shared, b.scalar(2)]), shared]);
      },
      ['Conv', 'Add', 'Mul'],
    ],
    [
      'replaces a hard swish by a hard sigmoid and a product',
      (b, x) => hardSwish(b, convolve(b, x, 1)),
      ['Conv', 'HardSigmoid', 'Mul'],
    ],
    [
      'moves the factor of a rounded hard swish into the weights after it, past means and products',
      (b, x) => {
        const swish = roundedHardSwish(b, convolve(b, x, 1));
        return convolve(b, b.node('Mul', [gate(b, swish, 4), swish]), 2);
      },
      // The products before convolutions are those of factor and weights.
      ['Conv', 'HardSigmoid', 'Mul', 'GlobalAveragePool', 'Mul', 'Conv', 'Sigmoid', 'Mul', 'Mul', 'Conv'],
    ],
    [
      'keeps the factor of a rounded hard swish where it is added to another map',
      (b, x) => b.node('Add', [roundedHardSwish(b, convolve(b, x, 1)), convolve(b, x, 2)]),
      ['Conv', 'HardSigmoid', 'Mul', 'Mul', 'Conv', 'Add'],
    ],
    [
      'folds a shift per channel into the transposed convolution before it',
      (b, x) => enlarge(b, x, 1),
      ['ConvTranspose'],
    ],
    [
      'folds a scale and shift into a convolution without padding after it',
      (b, x) => convolve(b, scaleAndShift(b, hardSwish(b, convolve(b, x, 1)), 0.7, -0.2), 2),
      ['Conv', 'HardSigmoid', 'Mul', 'Conv'],
    ],
    [
      'does not fold a shift into a padded convolution, whose border it would change',
      (b, x) => convolve(b, scaleAndShift(b, hardSwish(b, convolve(b, x, 1)), 0.7, -0.2), 2, 1),
      ['Conv', 'HardSigmoid', 'Mul', 'Conv', 'Conv'],
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
    expect(operations(simplify(builder.graph))).toEqual(['Conv', 'Mul']);
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
    expect(operations(simplified)).toEqual(['Conv', 'ConvTranspose']);
    const [before, after] = [await run(graph), await run(simplified)];
    for (const [i, value] of before.entries()) expect(after[i]).toBeCloseTo(value, 4);
  });
});

describe('a rule for some graphs', () => {
  it.each<[string, Rule[], (builder: OnnxBuilder, input: string) => string, string[]]>([
    [
      'adds a map to its gated form by one product',
      [gateOnce],
      (b, x) => b.node('Add', [x, b.node('Mul', [x, gate(b, x, 1)])]),
      ['GlobalAveragePool', 'Conv', 'Sigmoid', 'Add', 'Mul'],
    ],
    [
      'keeps the sum of a map and its product with another map',
      [gateOnce],
      (b, x) => b.node('Add', [x, b.node('Mul', [x, convolve(b, x, 1, 1)])]),
      ['Conv', 'Mul', 'Add'],
    ],
    [
      'enlarges a map after all layers that concern single pixels',
      [enlargeByRearrangement, rearrangeLast],
      (b, x) => b.node('Sigmoid', [enlarge(b, b.node('Relu', [enlarge(b, x, 1)]), 3)]),
      ['Conv', 'Relu', 'Conv', 'Sigmoid', 'DepthToSpace', 'DepthToSpace'],
    ],
    [
      'enlarges a map before a layer that concerns neighbouring pixels',
      [enlargeByRearrangement, rearrangeLast],
      (b, x) => convolve(b, enlarge(b, x, 1), 3, 1),
      ['Conv', 'DepthToSpace', 'Conv'],
    ],
  ])('%s, and computes the same', async (_, rules, body, expected) => {
    const graph = graphOf(body);
    const changed = rules.reduce(rewriteAll, simplify(graph));
    expect(operations(changed)).toEqual(expected);
    const [before, after] = [await run(graph), await run(changed)];
    expect(after).toHaveLength(before.length);
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
