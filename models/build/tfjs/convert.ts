import { startConversion, type Conversion, type FeatureMap } from './conversion';
import { OnnxBuilder } from '../onnx/builder';
import { encodeOnnx } from '../onnx/encode';
import { rewriteAll, type Rule } from '../simplify/rewriter';
import { simplify } from '../simplify/simplify';
import { ARRANGEMENTS } from './operations/arrangement';
import { CONVOLUTIONS } from './operations/convolution';
import { ELEMENTWISE } from './operations/elementwise';
import { POOLINGS } from './operations/pooling';
import type { TfjsGraph } from './graph';

const OPERATIONS = { ...CONVOLUTIONS, ...ELEMENTWISE, ...POOLINGS, ...ARRANGEMENTS };

export const INPUT_NAME = 'image';

export interface GraphPlan {
  readonly name: string;
  /** The source node whose value the product computes itself. All nodes before it are left out. */
  readonly inputNode: string;
  /** Nominal side of the square input in px. */
  readonly side: number;
  /** Whether each run may have another size. */
  readonly isDynamic: boolean;
  /** Further rules that suit this graph. */
  readonly rules?: readonly Rule[];
  /** Converts the required part of the source and names the outputs. */
  outputs(conversion: Conversion): Readonly<Record<string, FeatureMap>>;
}

/** Converts a part of a graph to an ONNX file with the input `image`, float32 [1, 3, height, width]. */
export function convertGraph(graph: TfjsGraph, plan: GraphPlan): Uint8Array {
  const builder = new OnnxBuilder();
  const { side } = plan;
  const inputSides = plan.isDynamic ? ['height', 'width'] : [side, side];
  builder.input(INPUT_NAME, [1, 3, ...inputSides]);
  const conversion = startConversion(graph, OPERATIONS, builder, {
    nodeName: plan.inputNode,
    featureMap: { name: INPUT_NAME, channels: 3, height: side, width: side },
  });
  for (const [output, map] of Object.entries(plan.outputs(conversion))) {
    const sides = plan.isDynamic ? scaledSides(side, map) : [map.height, map.width];
    builder.output(output, map.name, [1, map.channels, ...sides]);
  }
  return encodeOnnx((plan.rules ?? []).reduce(rewriteAll, simplify(builder.graph)), plan.name);
}

const scaledSides = (side: number, map: FeatureMap) => [
  `height / ${side / map.height}`,
  `width / ${side / map.width}`,
];
