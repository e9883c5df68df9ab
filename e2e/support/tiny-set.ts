import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, ModelEntry } from '#shared/domain/manifest';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import { OnnxBuilder } from '../../models/build/onnx/builder';
import { encodeOnnx } from '../../models/build/onnx/encode';
import { sha256Of } from '../../models/packs/test/tiny-models';

/** Width and height of the network's input, in px. */
const SIDE = 64;
/** x1, y1, x2, y2 in px of the input, score, class. */
const FACES = [
  [8, 8, 20, 20, 0.97, 0],
  [24, 10, 36, 22, 0.96, 0],
  [10, 24, 22, 36, 0.91, 0],
] as const;
/** Side, in px, of the part of the input whose contrast scales the scores. */
const CORNER = 24;
/** Difference between the darkest and the brightest value, 0..1, from which on the scores are those above. */
const FULL_CONTRAST = 0.1;

/** A network that detects the same three faces in each image, and none in an image of a single colour. */
const threeFaces = (): Uint8Array => {
  const builder = new OnnxBuilder();
  builder.input('images', [1, 3, SIDE, SIDE]);
  const all = { axes: [1, 2, 3], keepdims: 0 };
  // The letterbox leaves black borders, so only this corner always belongs to the image.
  const corner = builder.node('Slice', [
    'images',
    builder.integers([0, 0]),
    builder.integers([CORNER, CORNER]),
    builder.integers([2, 3]),
  ]);
  const contrast = builder.node('Sub', [
    builder.node('ReduceMax', [corner], all),
    builder.node('ReduceMin', [corner], all),
  ]);
  const share = builder.node('Min', [
    builder.node('Mul', [contrast, builder.scalar(1 / FULL_CONTRAST)]),
    builder.scalar(1),
  ]);
  const rows = (of: (value: number, column: number) => number): string =>
    builder.floats(Float32Array.from(FACES.flatMap((row) => row.map(of))), [1, FACES.length, 6]);
  const scores = rows((value, column) => (column === 4 ? value : 0));
  const others = rows((value, column) => (column === 4 ? 0 : value));
  const scaled = builder.node('Mul', [scores, share]);
  builder.output('output0', builder.node('Add', [scaled, others]), [1, FACES.length, 6]);
  return encodeOnnx(builder.graph, 'three-faces');
};

/** A network that detects no text: a map of zeros, as large as the input. */
const noText = (): Uint8Array => {
  const builder = new OnnxBuilder();
  builder.input('x', [1, 3, 'height', 'width']);
  const flat = builder.node('ReduceMean', ['x'], { axes: [1], keepdims: 1 });
  builder.output('map', builder.node('Mul', [flat, builder.scalar(0)]), [1, 1, 'height', 'width']);
  return encodeOnnx(builder.graph, 'no-text');
};

const PLAIN = { mean: [0, 0, 0], std: [255, 255, 255] } as const;

/** Manifest entries of the two networks, with their files. */
const DESCRIBED: readonly (Omit<ModelEntry, 'file' | 'sha256' | 'bytes' | 'licence' | 'source'> & {
  readonly bytes: Uint8Array;
})[] = [
  {
    id: 'three-faces',
    bytes: threeFaces(),
    head: 'yolo-end-to-end',
    classes: [...DEFAULT_CLASSES],
    labels: Object.fromEntries(DEFAULT_CLASSES.map((objectClass, label) => [label, objectClass])),
    input: { ...PLAIN, name: 'images', size: [SIDE, SIDE], longSides: [SIDE] },
    outputs: ['output0'],
    thresholds: Object.fromEntries(DEFAULT_CLASSES.map((objectClass) => [objectClass, 0.5])),
  },
  {
    id: 'no-text',
    bytes: noText(),
    head: 'text-regions',
    classes: ['license-plate', 'text'],
    input: { ...PLAIN, name: 'x', multipleOf: 32, longSides: [64] },
    outputs: ['map'],
    thresholds: { 'license-plate': 0.5, text: 0.5 },
  },
];

/**
 * A set of models of about a kilobyte each, for tests that do not depend on detection: the default set takes seconds to
 * load and about a second per image.
 */
const createTinySet = (): {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Uint8Array>;
} => {
  const fileOf = (id: string): string => `${id}.onnx`;
  const models = DESCRIBED.map(({ bytes, ...described }) => ({
    ...described,
    file: fileOf(described.id),
    sha256: sha256Of(bytes),
    bytes: bytes.length,
    licence: 'MIT (as this project)',
    source: {},
  }));
  return { manifest: { models }, files: new Map(DESCRIBED.map(({ id, bytes }) => [fileOf(id), bytes])) };
};

/** Writes the tiny set to a folder and removes everything else from the folder. */
export const writeTinySet = (folder: string): void => {
  const { manifest, files } = createTinySet();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
};
