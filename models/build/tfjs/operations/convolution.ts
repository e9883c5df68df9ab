import {
  constantInput,
  featureMapInput,
  type Conversion,
  type FeatureMap,
  type OperationConverter,
} from '../conversion';
import { spatial, text, texts, type TfjsConstant, type TfjsNode } from '../graph';
import { transpose } from '../transpose';
import { applyActivation } from './elementwise';
import { outputSide, samePadding } from './window';

interface Kernel {
  /** ONNX: [out, in / groups, height, width]. */
  readonly weights: Float32Array;
  readonly dims: readonly [number, number, number, number];
  readonly groups: number;
}

/** TensorFlow: [height, width, in, out]. */
function denseKernel(constant: TfjsConstant): Kernel {
  const [height = 0, width = 0, ins = 0, outs = 0] = constant.shape;
  return { weights: transpose(constant, [3, 2, 0, 1]), dims: [outs, ins, height, width], groups: 1 };
}

/** TensorFlow: [height, width, in, multiplier]; one group per input channel. */
function depthwiseKernel(constant: TfjsConstant): Kernel {
  const [height = 0, width = 0, ins = 0, multiplier = 0] = constant.shape;
  return {
    weights: transpose(constant, [2, 3, 0, 1]),
    dims: [ins * multiplier, 1, height, width],
    groups: ins,
  };
}

function convolve(node: TfjsNode, kernel: Kernel, conversion: Conversion): FeatureMap {
  const { builder } = conversion;
  const input = featureMapInput(node, 0, conversion);
  const [channels, , kernelHeight, kernelWidth] = kernel.dims;
  const [strideY, strideX] = spatial(node, 'strides');
  if (spatial(node, 'dilations').some((dilation) => dilation !== 1)) {
    throw new Error(`${node.name} is dilated`);
  }
  const isSame = text(node, 'padding') === 'SAME';
  const [top, bottom] = isSame ? samePadding(input.height, kernelHeight, strideY) : [0, 0];
  const [left, right] = isSame ? samePadding(input.width, kernelWidth, strideX) : [0, 0];
  const fused = texts(node, 'fused_ops');
  const bias = fused[0] === 'BiasAdd' ? [constantInput(node, 2, conversion)] : [];
  const convolved = builder.node(
    'Conv',
    [
      input.name,
      builder.floats(kernel.weights, kernel.dims),
      ...bias.map(({ data }) => builder.floats(Float32Array.from(data), [channels])),
    ],
    {
      kernel_shape: [kernelHeight, kernelWidth],
      strides: [strideY, strideX],
      pads: [top, left, bottom, right],
      group: kernel.groups,
    },
  );
  return {
    name: fused.slice(bias.length).reduce((name, op) => applyActivation(builder, op, name), convolved),
    channels,
    height: outputSide(input.height, kernelHeight, strideY, top + bottom),
    width: outputSide(input.width, kernelWidth, strideX, left + right),
  };
}

const dense: OperationConverter = (node, conversion) =>
  convolve(node, denseKernel(constantInput(node, 1, conversion)), conversion);
const depthwise: OperationConverter = (node, conversion) =>
  convolve(node, depthwiseKernel(constantInput(node, 1, conversion)), conversion);

/** Transposed convolution without overlap (kernel = stride), which therefore needs no padding. */
const transposed: OperationConverter = (node, conversion) => {
  const { builder } = conversion;
  const kernel = constantInput(node, 1, conversion);
  const input = featureMapInput(node, 2, conversion);
  const [kernelHeight = 0, kernelWidth = 0, channels = 0, ins = 0] = kernel.shape;
  const [strideY, strideX] = spatial(node, 'strides');
  if (kernelHeight !== strideY || kernelWidth !== strideX) {
    throw new Error(`${node.name} has overlapping windows`);
  }
  const dims = [ins, channels, kernelHeight, kernelWidth];
  const weights = builder.floats(transpose(kernel, [3, 2, 0, 1]), dims);
  return {
    name: builder.node('ConvTranspose', [input.name, weights], {
      kernel_shape: [kernelHeight, kernelWidth],
      strides: [strideY, strideX],
    }),
    channels,
    height: input.height * strideY,
    width: input.width * strideX,
  };
};

export const CONVOLUTIONS: Readonly<Record<string, OperationConverter>> = {
  Conv2D: dense,
  _FusedConv2D: dense,
  DepthwiseConv2dNative: depthwise,
  FusedDepthwiseConv2dNative: depthwise,
  Conv2DBackpropInput: transposed,
};
