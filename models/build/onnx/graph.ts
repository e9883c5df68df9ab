/**
 * An attribute of a node: an integer, a text, integers, or a float, which TypeScript cannot distinguish from an
 * integer.
 */
export type OnnxAttribute = number | string | readonly number[] | { readonly float: number };
export type OnnxAttributes = Readonly<Record<string, OnnxAttribute>>;

/** An operation with one output. Operations with several outputs do not occur in these graphs. */
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes: OnnxAttributes;
}

export interface FloatConstant {
  readonly kind: 'float32';
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

export type OnnxConstant =
  | FloatConstant
  | { readonly kind: 'int32' | 'int64'; readonly dims: readonly number[]; readonly data: readonly number[] };

/** A fixed side, or the name of a variable one. */
export type OnnxDimension = number | string;

/** A float32 input or output of the whole graph. */
export interface OnnxValue {
  readonly name: string;
  readonly dims: readonly OnnxDimension[];
}

/** A graph in memory: nodes in an executable order, and constants by name. */
export interface OnnxGraph {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly nodes: readonly OnnxNode[];
  readonly constants: ReadonlyMap<string, OnnxConstant>;
}
