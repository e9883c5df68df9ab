import onnxProto from 'onnx-proto';
import { Refusal } from './refusal';

const { onnx } = onnxProto;

/**
 * Removes the fixed image size of a graph, and sets its batch size to one.
 *
 * Some networks that support any size were exported with the size of an example in their inputs and outputs, which
 * runtimes then require. Only batch, height and width change; the numbers of channels stay.
 */
export const freeSize = (model: Uint8Array): Uint8Array => {
  const decoded = onnx.ModelProto.decode(model);
  const { graph } = decoded;
  if (!graph) throw new Refusal('The model contains no graph.');
  const weights = new Set(graph.initializer?.map(({ name }) => name));
  const values = [...(graph.input ?? []).filter(({ name }) => !weights.has(name)), ...(graph.output ?? [])];
  for (const { name, type } of values) {
    const dims = type?.tensorType?.shape?.dim ?? [];
    if (dims.length !== 4) continue;
    dims[0] = { dimValue: 1 };
    dims[2] = { dimParam: `${name}_height` };
    dims[3] = { dimParam: `${name}_width` };
  }
  // Sizes of intermediate values follow from the input; the stored ones are the example's.
  graph.valueInfo = [];
  return onnx.ModelProto.encode(decoded).finish();
};
