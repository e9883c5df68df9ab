import { OnnxBuilder } from '../../build/onnx/builder';
import { encodeOnnx } from '../../build/onnx/encode';

/** So large that each thread calculates a part of an output. */
const SIDE = 70;
const CHANNELS = 8;
const KERNEL = 3;

/** Input and output of {@link convolutionModel}. */
export const CONVOLUTION = { input: 'image', dims: [1, 3, SIDE, SIDE], output: 'scores' } as const;

interface Shape {
  readonly from: number;
  readonly to: number;
  readonly kernel?: number;
  readonly stride?: number;
  readonly group?: number;
}

const convolve = (
  builder: OnnxBuilder,
  input: string,
  { from, to, kernel = KERNEL, stride = 1, group = 1 }: Shape,
): string => {
  const perGroup = from / group;
  const weights = Float32Array.from({ length: to * perGroup * kernel ** 2 }, (_, i) => Math.sin(i));
  return builder.node('Conv', [input, builder.floats(weights, [to, perGroup, kernel, kernel])], {
    kernel_shape: [kernel, kernel],
    pads: Array.from({ length: 4 }, () => Math.floor(kernel / 2)),
    strides: [stride, stride],
    group,
  });
};

/**
 * A network of a kilobyte that computes with its input, as detectors do: convolutions, some of them of each channel by
 * itself, and scores of 0..1.
 */
export const convolutionModel = (): Uint8Array => {
  const builder = new OnnxBuilder();
  const ofChannels = { from: CHANNELS, to: CHANNELS, group: CHANNELS };
  builder.input(CONVOLUTION.input, CONVOLUTION.dims);
  const mixed = convolve(builder, CONVOLUTION.input, { from: 3, to: CHANNELS, kernel: 1 });
  const small = builder.node('Relu', [convolve(builder, mixed, ofChannels)]);
  const large = builder.node('Relu', [convolve(builder, small, { ...ofChannels, kernel: 5, stride: 2 })]);
  const scaled = builder.node('Mul', [large, builder.scalar(1 / 64)]);
  const scores = builder.node('Sigmoid', [convolve(builder, scaled, { from: CHANNELS, to: 1 })]);
  builder.output(CONVOLUTION.output, scores, [1, 1, SIDE / 2, SIDE / 2]);
  return encodeOnnx(builder.graph, 'tiny');
};
