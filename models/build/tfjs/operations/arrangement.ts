import { constantInput, featureMapInput, nodeInput, type OperationConverter } from '../conversion';
import { flag } from '../graph';

/** Bilinear scaling by an integer factor, which is valid for every input size. */
const resize: OperationConverter = (node, conversion) => {
  const { builder } = conversion;
  const input = featureMapInput(node, 0, conversion);
  const [height = 0, width = 0] = constantInput(node, 1, conversion).data;
  const scales = [1, 1, height / input.height, width / input.width];
  if (!scales.every(Number.isInteger)) throw new Error(`${node.name} does not scale by a whole factor`);
  if (flag(node, 'align_corners')) throw new Error(`${node.name} aligns corners`);
  const name = builder.node('Resize', [input.name, '', builder.floats(Float32Array.from(scales), [4])], {
    mode: 'linear',
    coordinate_transformation_mode: flag(node, 'half_pixel_centers') ? 'half_pixel' : 'asymmetric',
  });
  return { name, channels: input.channels, height, width };
};

/** Concatenates channels: TensorFlow's last axis, ONNX's second one. */
const concatenate: OperationConverter = (node, conversion) => {
  const maps = node.inputs.slice(0, -1).map((name) => conversion.featureMap(name));
  const [axis] = constantInput(node, node.inputs.length - 1, conversion).data;
  const [first] = maps;
  if (!first || (axis !== 3 && axis !== -1)) throw new Error(`${node.name} does not join channels`);
  const names = maps.map(({ name }) => name);
  return {
    ...first,
    name: conversion.builder.node('Concat', names, { axis: 1 }),
    channels: maps.reduce((sum, { channels }) => sum + channels, 0),
  };
};

/** Zeros around a map. The constant is [before, after] for each of batch, height, width, channels. */
const pad: OperationConverter = (node, conversion) => {
  const { builder } = conversion;
  const input = featureMapInput(node, 0, conversion);
  const padding = [...constantInput(node, 1, conversion).data];
  const [batchBefore, batchAfter, top = 0, bottom = 0, left = 0, right = 0, ...ofChannels] = padding;
  if ([batchBefore, batchAfter, ...ofChannels].some((side) => side !== 0)) {
    throw new Error(`${nodeInput(node, 0)} is padded outside its height and width`);
  }
  const pads = builder.integers([0, 0, top, left, 0, 0, bottom, right]);
  return {
    name: builder.node('Pad', [input.name, pads, builder.scalar(0)]),
    channels: input.channels,
    height: input.height + top + bottom,
    width: input.width + left + right,
  };
};

export const ARRANGEMENTS: Readonly<Record<string, OperationConverter>> = {
  ResizeBilinear: resize,
  ConcatV2: concatenate,
  Pad: pad,
};
