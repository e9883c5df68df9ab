import type { FloatConstant, OnnxGraph, OnnxNode } from '../onnx/graph';

/** A change of the graph: for each removed node, its replacement. */
export type Rewrite = ReadonlyMap<OnnxNode, readonly OnnxNode[]>;
/** Matches a pattern of nodes that ends in this node. */
export type Rule = (node: OnnxNode, graph: GraphView) => Rewrite | undefined;

/** A graph in which rules search, and to which they add constants. */
export class GraphView {
  readonly #producers: ReadonlyMap<string, OnnxNode>;
  readonly #consumers = new Map<string, OnnxNode[]>();

  constructor(
    readonly graph: OnnxGraph,
    readonly addConstant: (constant: FloatConstant) => string,
  ) {
    this.#producers = new Map(graph.nodes.map((node) => [node.output, node]));
    for (const node of graph.nodes) {
      for (const input of node.inputs) this.#consumers.set(input, [...this.consumers(input), node]);
    }
  }

  producer(value: string): OnnxNode | undefined {
    return this.#producers.get(value);
  }

  consumers(value: string): readonly OnnxNode[] {
    return this.#consumers.get(value) ?? [];
  }

  /** The node that produces `value`, if only `consumer` uses it, so that both can be merged. */
  soleProducer(value: string, consumer: OnnxNode): OnnxNode | undefined {
    const isShared = this.consumers(value).some((other) => other !== consumer);
    return isShared || this.isOutput(value) ? undefined : this.producer(value);
  }

  isOutput(value: string): boolean {
    return this.graph.outputs.some(({ name }) => name === value);
  }

  floats(value: string | undefined): FloatConstant | undefined {
    const constant = value === undefined ? undefined : this.graph.constants.get(value);
    return constant?.kind === 'float32' ? constant : undefined;
  }

  scalar(value: string | undefined): number | undefined {
    const constant = this.floats(value);
    return constant?.data.length === 1 ? constant.data[0] : undefined;
  }
}

/** Applies a rule repeatedly until it matches nowhere. */
export function rewriteAll(graph: OnnxGraph, rule: Rule): OnnxGraph {
  let nodes = graph.nodes;
  const constants = new Map(graph.constants);
  const addConstant = (constant: FloatConstant): string => {
    const name = `simplified_${constants.size}`;
    constants.set(name, constant);
    return name;
  };
  for (;;) {
    const view = new GraphView({ ...graph, nodes, constants }, addConstant);
    const rewrite = firstRewrite(view, rule);
    if (!rewrite) return { ...graph, nodes, constants };
    nodes = nodes.flatMap((node) => rewrite.get(node) ?? [node]);
  }
}

function firstRewrite(view: GraphView, rule: Rule): Rewrite | undefined {
  for (const node of view.graph.nodes) {
    const rewrite = rule(node, view);
    if (rewrite) return rewrite;
  }
  return undefined;
}

/** The constant operand and the computed one, in either order. */
export function constantOperand(
  { inputs }: OnnxNode,
  graph: GraphView,
): { readonly value: string; readonly constant: FloatConstant } | undefined {
  const [first, second] = inputs;
  if (first === undefined || second === undefined) return undefined;
  const ofSecond = graph.floats(second);
  if (ofSecond) return { value: first, constant: ofSecond };
  const ofFirst = graph.floats(first);
  return ofFirst ? { value: second, constant: ofFirst } : undefined;
}
