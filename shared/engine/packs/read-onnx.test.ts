import { PbfWriter } from 'pbf';
import { describe, expect, it } from 'vitest';
import { BadOnnx, readOnnx } from './read-onnx';

/** Fields of a message in the order of the file: their numbers of `onnx.proto`, and their values. */
type Fields = readonly (readonly [field: number, value: number | string | Uint8Array | Fields])[];

const message = (fields: Fields): Uint8Array => {
  const writer = new PbfWriter();
  for (const [field, value] of fields) {
    if (typeof value === 'number') writer.writeVarintField(field, value);
    else if (typeof value === 'string') writer.writeStringField(field, value);
    else writer.writeBytesField(field, value instanceof Uint8Array ? value : message(value));
  }
  return writer.finish();
};

const FLOAT = 1;
const EXTERNAL = 1;
const value = (name: string, dims: readonly (number | string)[]): Fields => [
  [1, name],
  [
    2,
    [
      [
        1,
        [
          [1, FLOAT],
          [2, dims.map((dim) => [1, [[typeof dim === 'string' ? 2 : 1, dim]]] as const)],
        ],
      ],
    ],
  ],
];
const entry = (key: string, text: string): Fields => [
  [1, key],
  [2, text],
];
const WEIGHTS: Fields = [
  [1, Uint8Array.of(1)],
  [2, FLOAT],
  [8, 'weights'],
  [9, new Uint8Array(4)],
];
const STORED_ELSEWHERE: Fields = [...WEIGHTS, [13, entry('location', '../../etc/passwd')], [14, EXTERNAL]];

const VERSIONS: Fields = [
  [1, 8],
  [8, [[2, 13]]],
];
const OUTPUT: Fields = [[12, value('rows', ['n', 7])]];

/** A file of a graph with an image and weights; some graphs have more than that, or give something else. */
const encode = (more: Fields = [], outside: Fields = [], outputs = OUTPUT): Uint8Array =>
  message([
    ...VERSIONS,
    [
      7,
      [
        ...more,
        [5, WEIGHTS],
        [11, value('image', [1, 3, 'height', 640])],
        [11, value('weights', [1])],
        ...outputs,
      ],
    ],
    ...outside,
  ]);

const holding = (tensor: Fields): Fields => [
  [2, 'x'],
  [4, 'Constant'],
  [
    5,
    [
      [1, 'value'],
      [5, tensor],
      [20, 4],
    ],
  ],
];
const nested = (graph: Fields): Fields => [
  [4, 'If'],
  [
    5,
    [
      [1, 'then_branch'],
      [6, graph],
      [20, 5],
    ],
  ],
];

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
    expect(readOnnx(encode([], [[14, entry('names', "{0: 'face'}")]]))).toEqual({
      inputs: [{ name: 'image', elementType: 1, dims: [1, 3, undefined, 640] }],
      outputs: [{ name: 'rows', elementType: 1, dims: [undefined, 7] }],
      metadata: new Map([['names', "{0: 'face'}"]]),
    });
  });

  it.each<[string, Fields]>([
    ['among its weights', [[5, STORED_ELSEWHERE]]],
    ['in a node', [[1, holding(STORED_ELSEWHERE)]]],
    ['in a graph inside of it', [[1, nested([[1, holding(STORED_ELSEWHERE)]])]]],
    ['among sparse weights', [[15, [[1, STORED_ELSEWHERE]]]]],
  ])('is refused if it refers to another file %s', (_name, graph) => {
    expect(reasonOf(encode(graph))).toBe('external-data');
  });

  it('is refused if one of its functions refers to another file', () => {
    const called: Fields = [
      [1, 'f'],
      [7, holding(STORED_ELSEWHERE)],
    ];
    expect(reasonOf(encode([], [[25, called]]))).toBe('external-data');
  });

  it.each<[string, Uint8Array]>([
    ['is empty', new Uint8Array()],
    ['is text', new TextEncoder().encode('{"packs": []}')],
    ['is an image', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46)],
    ['is a zip', Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0)],
    ['breaks off', encode().subarray(0, -3)],
    ['has no graph', message(VERSIONS)],
    ['gives nothing', encode([], [], [])],
    [
      'has a length beyond all sense',
      Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
    ],
  ])('is refused if it %s', (_name, file) => {
    expect(reasonOf(file)).toBe('not-onnx');
  });

  it('is refused if graphs are nested too deeply', () => {
    let graph: Fields = [];
    for (let depth = 0; depth < 20; depth++) graph = [[1, nested(graph)]];
    expect(reasonOf(encode([[1, nested(graph)]]))).toBe('not-onnx');
  });

  it('throws no other error, whichever byte is changed', () => {
    const file = encode([[1, nested([[1, holding(WEIGHTS)]])]]);
    for (let at = 0; at < file.length; at++) {
      for (const byte of [0x00, 0x7f, 0x80, 0xff]) {
        const changed = file.slice();
        changed[at] = byte;
        expect(['taken', 'not-onnx', 'external-data']).toContain(reasonOf(changed));
      }
    }
  });
});
