import onnxProto from 'onnx-proto';
import { Refusal } from './refusal';

const { onnx } = onnxProto;

/**
 * Makes a graph's picture sizes free, and its batch one picture.
 *
 * Some networks that take any size were exported with the size of an example in their inputs and outputs, which
 * runtimes then insist on. Sides alone are changed; numbers of planes stay.
 */
export const freeSize = (model: Uint8Array): Uint8Array => {
  const decoded = onnx.ModelProto.decode(model);
  const { graph } = decoded;
  if (!graph) throw new Refusal('The model is no graph.');
  const weights = new Set(graph.initializer?.map(({ name }) => name));
  const values = [...(graph.input ?? []).filter(({ name }) => !weights.has(name)), ...(graph.output ?? [])];
  for (const { name, type } of values) {
    const dims = type?.tensorType?.shape?.dim ?? [];
    if (dims.length !== 4) continue;
    dims[0] = { dimValue: 1 };
    dims[2] = { dimParam: `${name}_height` };
    dims[3] = { dimParam: `${name}_width` };
  }
  // Sizes of what lies between follow from the input; those written down are the example's.
  graph.valueInfo = [];
  return onnx.ModelProto.encode(decoded).finish();
};
