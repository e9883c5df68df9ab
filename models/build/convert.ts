import { startConversion, type Conversion, type FeatureMap } from './conversion';
import { OnnxWriter } from './onnx-writer';
import { ARRANGEMENTS } from './ops/arrangement';
import { CONVOLUTIONS } from './ops/convolution';
import { ELEMENTWISE } from './ops/elementwise';
import { POOLINGS } from './ops/pooling';
import type { TfjsGraph } from './tfjs-graph';

const OPERATIONS = { ...CONVOLUTIONS, ...ELEMENTWISE, ...POOLINGS, ...ARRANGEMENTS };

export const INPUT_NAME = 'image';

export interface GraphPlan {
  readonly name: string;
  /** The source node whose value the product computes itself; everything before it is left out. */
  readonly inputNode: string;
  /** Nominal side of the square input in px. */
  readonly side: number;
  /** Whether each run may choose another size. */
  readonly isDynamic: boolean;
  /** Converts what is needed and names the outputs; everything else of the source is left out. */
  outputs(conversion: Conversion): Readonly<Record<string, FeatureMap>>;
}

/** Converts a part of a graph to an ONNX file whose input is `image`, float32 [1, 3, height, width]. */
export function convertGraph(graph: TfjsGraph, plan: GraphPlan): Uint8Array {
  const writer = new OnnxWriter();
  const { side } = plan;
  const inputSides = plan.isDynamic ? ['height', 'width'] : [side, side];
  const name = writer.input(INPUT_NAME, [1, 3, ...inputSides]);
  const conversion = startConversion(graph, OPERATIONS, writer, {
    nodeName: plan.inputNode,
    featureMap: { name, channels: 3, height: side, width: side },
  });
  for (const [output, map] of Object.entries(plan.outputs(conversion))) {
    const sides = plan.isDynamic ? scaledSides(side, map) : [map.height, map.width];
    writer.output(output, map.name, [1, map.channels, ...sides]);
  }
  return writer.encode(plan.name);
}

const scaledSides = (side: number, map: FeatureMap) => [
  `height / ${side / map.height}`,
  `width / ${side / map.width}`,
];
