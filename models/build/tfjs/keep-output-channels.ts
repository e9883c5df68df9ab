import type { TfjsConstant, TfjsGraph } from './graph';

/**
 * Removes output channels of a biased convolution, so that they are not computed.
 *
 * @param channels indices of the remaining channels, in their new order
 */
export function keepOutputChannels(
  graph: TfjsGraph,
  nodeName: string,
  channels: readonly number[],
): TfjsGraph {
  const [, kernel, bias] = graph.nodes.get(nodeName)?.inputs ?? [];
  const constants = new Map(graph.constants);
  for (const name of [kernel, bias]) {
    const constant = name === undefined ? undefined : constants.get(name);
    if (name === undefined || !constant) throw new Error(`${nodeName} has no constant kernel and bias`);
    constants.set(name, keepLastAxis(constant, channels));
  }
  return { ...graph, constants };
}

function keepLastAxis({ shape, data }: TfjsConstant, kept: readonly number[]): TfjsConstant {
  const side = shape.at(-1) ?? 0;
  const rows = data.length / side;
  const result = new Float32Array(rows * kept.length);
  for (let row = 0; row < rows; row++) {
    for (const [i, channel] of kept.entries()) {
      result[row * kept.length + i] = data[row * side + channel] ?? 0;
    }
  }
  return { shape: [...shape.slice(0, -1), kept.length], data: result };
}
