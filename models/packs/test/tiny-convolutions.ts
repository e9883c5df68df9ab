import { OnnxBuilder } from '../../build/onnx/builder';
import { encodeOnnx } from '../../build/onnx/encode';

const SIDE = 32;
const CHANNELS = 8;
const KERNEL = 3;

/** Input and output of {@link convolutionModel}. */
export const CONVOLUTION = { input: 'image', dims: [1, 3, SIDE, SIDE], output: 'scores' } as const;

/** A network of a kilobyte that computes with its input, as detectors do: convolutions, and scores of 0..1. */
export const convolutionModel = (): Uint8Array => {
  const builder = new OnnxBuilder();
  const convolve = (input: string, from: number, to: number, stride: number): string => {
    const weights = Float32Array.from({ length: to * from * KERNEL ** 2 }, (_, i) => Math.sin(i));
    return builder.node('Conv', [input, builder.floats(weights, [to, from, KERNEL, KERNEL])], {
      kernel_shape: [KERNEL, KERNEL],
      pads: [1, 1, 1, 1],
      strides: [stride, stride],
    });
  };
  builder.input(CONVOLUTION.input, CONVOLUTION.dims);
  const features = builder.node('Relu', [convolve(CONVOLUTION.input, 3, CHANNELS, 2)]);
  const scores = builder.node('Sigmoid', [convolve(features, CHANNELS, 1, 1)]);
  builder.output(CONVOLUTION.output, scores, [1, 1, SIDE / 2, SIDE / 2]);
  return encodeOnnx(builder.graph, 'tiny');
};
