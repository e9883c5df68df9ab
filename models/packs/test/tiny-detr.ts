import { expect } from 'vitest';
import type { RawDetection } from '#shared/engine/heads/head';
import { detr } from '#shared/engine/heads/head-detr';
import type { InferenceSession } from '#shared/ports/inference';
import { OnnxBuilder } from '../../build/onnx/builder';
import { encodeOnnx } from '../../build/onnx/encode';

const SIDE = 64;
const CHANNELS = 16;
const KERNEL = 4;
const TOKENS = (SIDE / KERNEL) ** 2;
const QUERIES = 20;
const CLASSES = 80;

/** Pseudo-random values around 0, the same on every host. */
const valuesOf = (length: number, seed: number, scale: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => {
    const noise = Math.sin(12.9898 * (i + 1) + 78.233 * seed) * 43_758.5453;
    return scale * (noise - Math.floor(noise) - 0.5);
  });

/** Names of {@link detrModel}, as `transformers` names those of D-FINE. */
export const DETR = {
  input: 'pixel_values',
  outputs: ['logits', 'pred_boxes'],
} as const;

/** A DETR with random weights: learnt queries look at cells of the image, and each gives 80 logits and a box. */
export const detrModel = (): Uint8Array => {
  const builder = new OnnxBuilder();
  let seed = 2;
  const weights = (scale: number, ...dims: readonly number[]): string => {
    const length = dims.reduce((product, side) => product * side, 1);
    return builder.floats(valuesOf(length, seed++, scale), dims);
  };
  const linear = (from: string, rows: number, columns: number, scale: number): string =>
    builder.node('MatMul', [from, weights(scale, rows, columns)]);
  builder.input(DETR.input, ['batch', 3, SIDE, SIDE]);
  const cells = builder.node('Relu', [
    builder.node('Conv', [DETR.input, weights(1, CHANNELS, 3, KERNEL, KERNEL)], {
      kernel_shape: [KERNEL, KERNEL],
      strides: [KERNEL, KERNEL],
    }),
  ]);
  const byChannel = builder.node('Reshape', [cells, builder.integers([1, CHANNELS, TOKENS])]);
  const keys = builder.node('MatMul', [weights(0.5, 1, QUERIES, CHANNELS), byChannel]);
  const attention = builder.node('Softmax', [keys], { axis: 2 });
  const tokens = builder.node('Transpose', [byChannel], { perm: [0, 2, 1] });
  const seen = builder.node('MatMul', [attention, tokens]);
  const queries = builder.node('Add', [seen, weights(4, 1, QUERIES, CHANNELS)]);
  const logits = builder.node('Sub', [linear(queries, CHANNELS, CLASSES, 1.5), builder.scalar(3.5)]);
  builder.output('logits', logits, ['batch', QUERIES, CLASSES]);
  const boxes = builder.node('Sigmoid', [linear(queries, CHANNELS, 4, 1)]);
  builder.output('pred_boxes', boxes, ['batch', QUERIES, 4]);
  return encodeOnnx(builder.graph, 'tiny');
};

/**
 * Detections of {@link detrModel} by other programs: `RTDetrImageProcessor.post_process_object_detection` (transformers
 * 5.24.0, threshold 0.4) of the outputs of onnxruntime 1.31. Of the classes of `LABELS`, and of two classes for one box
 * the better one. Score, and box in px.
 */
const REFERENCE = [
  ['person', 0.81492, [27.3647, 45.4518, 84.8931, 76.0618]],
  ['vehicle', 0.766536, [-16.0865, 40.2179, 41.865, 84.0754]],
  ['vehicle', 0.736245, [23.7417, 9.7105, 40.7868, 37.8437]],
  ['person', 0.727639, [28.2321, 13.2028, 78.266, 64.6085]],
  ['vehicle', 0.631283, [42.8874, 20.3777, 78.5651, 43.6516]],
  ['vehicle', 0.621601, [42.1157, -5.4806, 43.9445, 47.5442]],
  ['vehicle', 0.574556, [37.0844, 11.5235, 78.3587, 55.4828]],
  ['vehicle', 0.519737, [30.5781, 15.7517, 83.3913, 42.47]],
  ['vehicle', 0.457922, [12.3505, -6.9236, 44.9896, 54.4177]],
] as const;
const LABELS = { 0: 'person', 1: 'person', 2: 'vehicle', 5: 'vehicle', 6: 'vehicle', 7: 'vehicle' } as const;

/** A detection as plain values, boxes as shares of the input. */
type Row = readonly [objectClass: string, score: number, ...box: readonly number[]];

const DETR_REFERENCE: readonly Row[] = REFERENCE.map(([objectClass, score, box]) => [
  objectClass,
  score,
  ...box.map((side) => side / SIDE),
]);

const rowOf = ({ objectClass, score, box }: RawDetection): Row => [
  objectClass,
  score,
  ...[box.x1, box.y1, box.x2, box.y2].map((side) => side / SIDE),
];

/** Runs {@link detrModel} and decodes its outputs: rows as in the reference, best scores first. */
const detectByDetr = async (session: InferenceSession): Promise<readonly Row[]> => {
  const data = valuesOf(3 * SIDE ** 2, 1, 1).map((value) => value + 0.5);
  const outputs = await session.run({ [DETR.input]: { data, dims: [1, 3, SIDE, SIDE] } });
  const net = { width: SIDE, height: SIDE };
  const inOrder = DETR.outputs.map((name) => outputs[name]!);
  const found = detr.decode!(inOrder, net, { person: 0.4, vehicle: 0.4 }, LABELS);
  return found.map(rowOf).toSorted((a, b) => b[1] - a[1]);
};

/** States that a session of {@link detrModel}, which is closed then, has the detections that transformers decodes. */
export const expectReference = async (session: InferenceSession): Promise<void> => {
  const found = await detectByDetr(session);
  await session.close();
  expect(found).toEqual(
    DETR_REFERENCE.map(([objectClass, ...values]) => [
      objectClass,
      ...values.map((value) => expect.closeTo(value, 4) as number),
    ]),
  );
};
