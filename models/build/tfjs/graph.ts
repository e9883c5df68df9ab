import { float16ToNumber } from '../float16';

/** A constant in the layout of the source: convolution kernels are [height, width, in, out]. */
export interface TfjsConstant {
  readonly shape: readonly number[];
  readonly data: Float32Array | Int32Array;
}

interface TfjsAttribute {
  readonly b?: boolean;
  /** Base64. */
  readonly s?: string;
  readonly list?: { readonly i?: readonly (string | number)[]; readonly s?: readonly string[] };
}

export interface TfjsNode {
  readonly name: string;
  readonly op: string;
  /** Names of its input nodes, without control dependencies. */
  readonly inputs: readonly string[];
  readonly attributes: Readonly<Record<string, TfjsAttribute>>;
}

/** A TensorFlow.js graph model: NHWC, float32 or int32. */
export interface TfjsGraph {
  readonly nodes: ReadonlyMap<string, TfjsNode>;
  readonly constants: ReadonlyMap<string, TfjsConstant>;
}

interface WeightSpec {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly quantization?: { readonly dtype: string };
}

interface ModelJson {
  readonly modelTopology: {
    readonly node: readonly {
      readonly name: string;
      readonly op: string;
      readonly input?: readonly string[];
      readonly attr?: Readonly<Record<string, TfjsAttribute>>;
    }[];
  };
  readonly weightsManifest: readonly { readonly weights: readonly WeightSpec[] }[];
}

/**
 * Reads a graph model.
 *
 * @param json the `model.json`
 * @param weights its one weight file: float16, or int32 for shapes and axes
 * @see https://www.tensorflow.org/js/guide/save_load
 */
export function readTfjsGraph(json: Uint8Array, weights: Uint8Array): TfjsGraph {
  const model = JSON.parse(new TextDecoder().decode(json)) as ModelJson;
  const nodes = model.modelTopology.node.map(({ name, op, input = [], attr = {} }): [string, TfjsNode] => [
    name,
    { name, op, inputs: input.filter((ref) => !ref.startsWith('^')), attributes: attr },
  ]);
  const constants = new Map<string, TfjsConstant>();
  let offset = 0;
  for (const spec of model.weightsManifest.flatMap((group) => group.weights)) {
    const { data, byteLength } = readConstant(spec, weights, offset);
    constants.set(spec.name, { shape: spec.shape, data });
    offset += byteLength;
  }
  return { nodes: new Map(nodes), constants };
}

function readConstant(spec: WeightSpec, weights: Uint8Array, offset: number) {
  const length = spec.shape.reduce((product, side) => product * side, 1);
  const view = new DataView(weights.buffer, weights.byteOffset + offset);
  const storage = spec.quantization?.dtype ?? spec.dtype;
  if (spec.dtype === 'float32' && storage === 'float16') {
    const data = Float32Array.from({ length }, (_, i) => float16ToNumber(view.getUint16(2 * i, true)));
    return { data, byteLength: 2 * length };
  }
  if (storage === 'int32') {
    const data = Int32Array.from({ length }, (_, i) => view.getInt32(4 * i, true));
    return { data, byteLength: 4 * length };
  }
  throw new Error(`constant ${spec.name} is stored as ${storage}`);
}

export const flag = (node: TfjsNode, attribute: string): boolean => node.attributes[attribute]?.b ?? false;

export const text = (node: TfjsNode, attribute: string): string =>
  Buffer.from(node.attributes[attribute]?.s ?? '', 'base64').toString();

export const texts = (node: TfjsNode, attribute: string): readonly string[] =>
  (node.attributes[attribute]?.list?.s ?? []).map((value) => Buffer.from(value, 'base64').toString());

/** Height and width of an attribute that TensorFlow stores for [batch, height, width, channels]. */
export function spatial(node: TfjsNode, attribute: string): readonly [number, number] {
  const [, height, width] = (node.attributes[attribute]?.list?.i ?? []).map(Number);
  if (height === undefined || width === undefined) throw new Error(`${node.name} lacks ${attribute}`);
  return [height, width];
}
