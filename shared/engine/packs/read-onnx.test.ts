import onnxProto from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { BadOnnx, readOnnx } from './read-onnx';

const { onnx } = onnxProto;
const { EXTERNAL } = onnx.TensorProto.DataLocation;

const value = (name: string, dims: readonly (number | string)[]): onnxProto.onnx.IValueInfoProto => ({
  name,
  type: {
    tensorType: {
      elemType: onnx.TensorProto.DataType.FLOAT,
      shape: { dim: dims.map((dim) => (typeof dim === 'string' ? { dimParam: dim } : { dimValue: dim })) },
    },
  },
});
const WEIGHTS = {
  name: 'weights',
  dims: [1],
  dataType: onnx.TensorProto.DataType.FLOAT,
  rawData: new Uint8Array(4),
};
const STORED_ELSEWHERE = {
  ...WEIGHTS,
  dataLocation: EXTERNAL,
  externalData: [{ key: 'location', value: '../../etc/passwd' }],
};

const encode = (graph: onnxProto.onnx.IGraphProto = {}, more: onnxProto.onnx.IModelProto = {}): Uint8Array =>
  onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ domain: '', version: 13 }],
    graph: {
      input: [value('image', [1, 3, 'height', 640]), value('weights', [1])],
      output: [value('rows', ['n', 7])],
      initializer: [WEIGHTS],
      ...graph,
    },
    ...more,
  }).finish();

const holding = (tensor: onnxProto.onnx.ITensorProto): onnxProto.onnx.INodeProto => ({
  opType: 'Constant',
  output: ['x'],
  attribute: [{ name: 'value', type: onnx.AttributeProto.AttributeType.TENSOR, t: tensor }],
});
const nested = (graph: onnxProto.onnx.IGraphProto): onnxProto.onnx.INodeProto => ({
  opType: 'If',
  attribute: [{ name: 'then_branch', type: onnx.AttributeProto.AttributeType.GRAPH, g: graph }],
});

const reasonOf = (file: Uint8Array): string => {
  try {
    readOnnx(file);
  } catch (error) {
    if (error instanceof BadOnnx) return error.reason;
    throw error;
  }
  return 'taken';
};

describe('an ONNX file', () => {
  it('gives inputs without weights, outputs and metadata', () => {
    const metadataProps = [{ key: 'names', value: "{0: 'face'}" }];
    expect(readOnnx(encode({}, { metadataProps }))).toEqual({
      inputs: [{ name: 'image', elementType: 1, dims: [1, 3, undefined, 640] }],
      outputs: [{ name: 'rows', elementType: 1, dims: [undefined, 7] }],
      metadata: new Map([['names', "{0: 'face'}"]]),
    });
  });

  it.each<[string, onnxProto.onnx.IGraphProto]>([
    ['among its weights', { initializer: [STORED_ELSEWHERE] }],
    ['in a node', { node: [holding(STORED_ELSEWHERE)] }],
    ['in a graph inside of it', { node: [nested({ node: [holding(STORED_ELSEWHERE)] })] }],
    ['among sparse weights', { sparseInitializer: [{ values: STORED_ELSEWHERE }] }],
  ])('is refused if it refers to another file %s', (_name, graph) => {
    expect(reasonOf(encode(graph))).toBe('external-data');
  });

  it('is refused if one of its functions refers to another file', () => {
    expect(reasonOf(encode({}, { functions: [{ name: 'f', node: [holding(STORED_ELSEWHERE)] }] }))).toBe(
      'external-data',
    );
  });

  it.each<[string, Uint8Array]>([
    ['is empty', new Uint8Array()],
    ['is text', new TextEncoder().encode('{"packs": []}')],
    ['is a picture', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46)],
    ['is a zip', Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0)],
    ['breaks off', encode().subarray(0, -3)],
    ['has no graph', onnx.ModelProto.encode({ irVersion: 8, opsetImport: [{ version: 13 }] }).finish()],
    ['gives nothing', encode({ output: [] })],
    [
      'has a length beyond all sense',
      Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
    ],
  ])('is refused if it %s', (_name, file) => {
    expect(reasonOf(file)).toBe('not-onnx');
  });

  it('is refused if graphs are nested too deeply', () => {
    let graph: onnxProto.onnx.IGraphProto = {};
    for (let depth = 0; depth < 20; depth++) graph = { node: [nested(graph)] };
    expect(reasonOf(encode({ node: [nested(graph)] }))).toBe('not-onnx');
  });

  it('throws no other error, whichever byte is changed', () => {
    const file = encode({ node: [nested({ node: [holding(WEIGHTS)] })] });
    for (let at = 0; at < file.length; at++) {
      for (const byte of [0x00, 0x7f, 0x80, 0xff]) {
        const changed = file.slice();
        changed[at] = byte;
        expect(['taken', 'not-onnx', 'external-data']).toContain(reasonOf(changed));
      }
    }
  });
});
