import { createHash } from 'node:crypto';
import type { Pack, PackModel } from '#shared/engine/packs/packs';
import { OnnxBuilder } from '../../build/onnx/builder';
import { encodeOnnx } from '../../build/onnx/encode';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A constant output of a network. */
export interface FixedOutput {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** A network of a few hundred bytes with an image input and constant outputs. */
export const tinyModel = (
  input: string,
  inputDims: readonly (number | string)[],
  outputs: readonly FixedOutput[],
): Uint8Array => {
  const builder = new OnnxBuilder();
  builder.input(input, inputDims);
  for (const { name, dims, data } of outputs) builder.output(name, builder.floats(data, dims), dims);
  return encodeOnnx(builder.graph, 'tiny');
};

const SIDE = 32;
const ROW = 7;

/** A YOLO network with NMS that always detects one object: with the default label a car of COCO. */
export const vehicleModel = (score = 0.9, label = 2): Uint8Array =>
  tinyModel(
    'images',
    [1, 3, SIDE, SIDE],
    [{ name: 'output0', dims: [1, ROW], data: Float32Array.of(0, 8, 4, 24, 12, label, score) }],
  );

export const packOf = (model: Uint8Array, changed: Partial<PackModel> = {}): Pack => ({
  id: 'tiny-vehicles',
  description: 'Always detects one vehicle.',
  models: [
    {
      id: 'tiny-vehicles',
      file: 'tiny-vehicles.onnx',
      sha256: sha256Of(model),
      bytes: model.length,
      licence: 'MIT',
      source: {},
      head: 'yolo-end-to-end',
      classes: ['vehicle'],
      labels: { 2: 'vehicle' },
      input: { name: 'images', mean: [0, 0, 0], std: [255, 255, 255], size: [SIDE, SIDE], longSides: [SIDE] },
      outputs: ['output0'],
      thresholds: { vehicle: 0.5 },
      ...changed,
    },
  ],
});

/** A network with an image, points and their labels as inputs and a mask as output. */
export const promptedModel = (): Uint8Array => {
  const builder = new OnnxBuilder();
  builder.input('image', [1, 3, SIDE, SIDE]);
  builder.input('points', [1, 1, 2, 2]);
  builder.input('labels', [1, 1, 2]);
  const sum = (name: string): string => builder.node('ReduceSum', [name], { keepdims: 0 });
  const reported = builder.node('Add', [sum('points'), builder.node('Add', [sum('labels'), sum('image')])]);
  const ones = builder.floats(new Float32Array(SIDE * SIDE).fill(1), [1, 1, 1, SIDE, SIDE]);
  builder.output('masks', builder.node('Mul', [ones, reported]), [1, 1, 1, SIDE, SIDE]);
  return encodeOnnx(builder.graph, 'tiny');
};

/** Distance of the mask from the left edge of the prompted box, in px of the network's input. */
const MASK_OFFSET_PX = 4;

/** A network whose mask contains every pixel at least that far to the right of the left edge of the prompted box. */
export const promptedMaskModel = (): Uint8Array => {
  const builder = new OnnxBuilder();
  builder.input('image', [1, 3, SIDE, SIDE]);
  builder.input('points', [1, 1, 2, 2]);
  builder.input('labels', [1, 1, 2]);
  const columns = Float32Array.from({ length: SIDE * SIDE }, (_, i) => (i % SIDE) + 0.5);
  const across = builder.node('Gather', ['points', builder.integers([0])], { axis: 3 });
  const left = builder.node('ReduceMin', [across], { axes: [2], keepdims: 1 });
  const shown = builder.node('Mul', [
    builder.node('ReduceSum', ['image'], { keepdims: 0 }),
    builder.scalar(0),
  ]);
  const reported = builder.node('Mul', [
    builder.node('ReduceSum', ['labels'], { keepdims: 0 }),
    builder.scalar(0),
  ]);
  const right = builder.node('Sub', [
    builder.floats(columns, [1, 1, 1, SIDE, SIDE]),
    builder.node('Unsqueeze', [left, builder.integers([4])]),
  ]);
  const logits = builder.node('Sub', [right, builder.scalar(MASK_OFFSET_PX)]);
  builder.output('masks', builder.node('Add', [logits, builder.node('Add', [shown, reported])]), [
    1,
    1,
    1,
    SIDE,
    SIDE,
  ]);
  return encodeOnnx(builder.graph, 'tiny');
};

const COCO_PLANES = 4 + 80;
/** Cells of the strides 8, 16 and 32 in an image of 32 × 32. */
const CELLS = 16 + 4 + 1;

/** A YOLO network with the 80 classes of COCO that always detects one car. */
export const cocoModel = (): Uint8Array => {
  const data = new Float32Array(COCO_PLANES * CELLS);
  const outputs = [16, 8, 16, 8, 0, 0, 0.9]; // centre, sides; person, bicycle, car
  outputs.forEach((value, plane) => (data[plane * CELLS] = value));
  return tinyModel('images', [1, 3, SIDE, SIDE], [{ name: 'output0', dims: [1, COCO_PLANES, CELLS], data }]);
};

/** A network with outputs that no head can decode. */
export const modelWithUnknownOutputs = (): Uint8Array =>
  tinyModel(
    'images',
    [1, 3, SIDE, SIDE],
    [{ name: 'class', dims: [1, 3], data: Float32Array.of(0.1, 0.2, 0.7) }],
  );
