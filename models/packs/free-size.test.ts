import { PbfWriter } from 'pbf';
import { describe, expect, it } from 'vitest';
import { readOnnx } from '#shared/engine/packs/read-onnx';
import { freeSize } from './free-size';
import { Refusal } from './refusal';
import { vehicleModel } from './test/tiny-models';

/** Wraps bytes as a field of a message. */
const field = (number: number, value: Uint8Array): Uint8Array => {
  const writer = new PbfWriter();
  writer.writeBytesField(number, value);
  return writer.finish();
};

const refusalOf = (model: Uint8Array): unknown => {
  try {
    return freeSize(model).length;
  } catch (error) {
    return error instanceof Refusal ? error.message : error;
  }
};

describe('a graph whose size is freed', () => {
  it('has the batch size one, any height and width, and its number of channels', () => {
    const { inputs } = readOnnx(freeSize(vehicleModel()));
    expect(inputs.map(({ name, dims }) => [name, dims])).toEqual([['images', [1, 3, undefined, undefined]]]);
  });

  it('keeps outputs with another number of sides', () => {
    const { outputs } = readOnnx(vehicleModel());
    expect(readOnnx(freeSize(vehicleModel())).outputs).toEqual(outputs);
  });

  it('keeps fields that nobody here knows, byte for byte', () => {
    const unknown = field(1000, Buffer.from('of a later version'));
    const freed = Buffer.from(freeSize(Buffer.concat([unknown, vehicleModel(), unknown])));
    expect(freed).toEqual(Buffer.concat([unknown, freeSize(vehicleModel()), unknown]));
  });

  it('loses the sizes of its intermediate values', () => {
    const VALUE_INFO = 13;
    const GRAPH = 7;
    const graph = (value: Uint8Array): Uint8Array => field(GRAPH, value);
    const stored = field(VALUE_INFO, Buffer.from('a size'));
    expect(Buffer.from(freeSize(graph(stored)))).toEqual(Buffer.from(graph(new Uint8Array())));
  });

  it.each<[string, Uint8Array, string]>([
    ['is empty', new Uint8Array(), 'The model contains no graph.'],
    ['breaks off', vehicleModel().subarray(0, -3), 'The model is not a valid ONNX file.'],
    ['is text', Buffer.from('{"packs": []}'), 'The model is not a valid ONNX file.'],
    [
      'has a length beyond all sense',
      Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
      'The model is not a valid ONNX file.',
    ],
  ])('is refused if it %s', (_name, model, sentence) => {
    expect(refusalOf(model)).toBe(sentence);
  });

  it('throws no other error, whichever byte is changed', () => {
    const model = vehicleModel();
    for (let at = 0; at < model.length; at++) {
      for (const byte of [0x00, 0x7f, 0x80, 0xff]) {
        const changed = model.slice();
        changed[at] = byte;
        expect(refusalOf(changed)).not.toBeInstanceOf(Error);
      }
    }
  });
});
