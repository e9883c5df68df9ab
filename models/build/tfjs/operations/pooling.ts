import { constantInput, featureMapInput, type OperationConverter } from '../conversion';
import { flag, spatial, text } from '../graph';
import { outputSide, samePadding } from './window';

const maximum: OperationConverter = (node, conversion) => {
  const input = featureMapInput(node, 0, conversion);
  const [kernelHeight, kernelWidth] = spatial(node, 'ksize');
  const [strideY, strideX] = spatial(node, 'strides');
  if (text(node, 'padding') !== 'SAME') throw new Error(`${node.name} is not padded`);
  const [top, bottom] = samePadding(input.height, kernelHeight, strideY);
  const [left, right] = samePadding(input.width, kernelWidth, strideX);
  const name = conversion.builder.node('MaxPool', [input.name], {
    kernel_shape: [kernelHeight, kernelWidth],
    strides: [strideY, strideX],
    pads: [top, left, bottom, right],
  });
  return {
    name,
    channels: input.channels,
    height: outputSide(input.height, kernelHeight, strideY, top + bottom),
    width: outputSide(input.width, kernelWidth, strideX, left + right),
  };
};

const globalAverage = (input: { name: string; channels: number }, onnxNode: string) => ({
  name: onnxNode,
  channels: input.channels,
  height: 1,
  width: 1,
});

/** An average over the whole map. */
const average: OperationConverter = (node, conversion) => {
  const input = featureMapInput(node, 0, conversion);
  const [height, width] = spatial(node, 'ksize');
  if (height !== input.height || width !== input.width) throw new Error(`${node.name} is not global`);
  return globalAverage(input, conversion.builder.node('GlobalAveragePool', [input.name]));
};

/** A mean over height and width (TensorFlow's axes 1 and 2). */
const mean: OperationConverter = (node, conversion) => {
  const input = featureMapInput(node, 0, conversion);
  const axes = [...constantInput(node, 1, conversion).data].toSorted();
  if (axes.join() !== '1,2' || !flag(node, 'keep_dims')) throw new Error(`${node.name} is not global`);
  return globalAverage(input, conversion.builder.node('GlobalAveragePool', [input.name]));
};

export const POOLINGS: Readonly<Record<string, OperationConverter>> = {
  MaxPool: maximum,
  AvgPool: average,
  Mean: mean,
};
