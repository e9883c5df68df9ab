import type { OnnxAttributes, OnnxConstant, OnnxDimension, OnnxGraph, OnnxNode, OnnxValue } from './graph';

/** Builds a graph node by node. Names are numbered, so that the same calls give the same graph. */
export class OnnxBuilder {
  readonly #inputs: OnnxValue[] = [];
  readonly #outputs: OnnxValue[] = [];
  readonly #nodes: OnnxNode[] = [];
  readonly #constants = new Map<string, OnnxConstant>();
  readonly #scalars = new Map<number, string>();

  get graph(): OnnxGraph {
    return {
      inputs: this.#inputs,
      outputs: this.#outputs,
      nodes: this.#nodes,
      constants: this.#constants,
    };
  }

  input(name: string, dims: readonly OnnxDimension[]): void {
    this.#inputs.push({ name, dims });
  }

  /** Gives an output its public name. */
  output(name: string, value: string, dims: readonly OnnxDimension[]): void {
    this.#nodes.push({ op: 'Identity', inputs: [value], output: name, attributes: {} });
    this.#outputs.push({ name, dims });
  }

  /** @returns the name of the node's output */
  node(op: string, inputs: readonly string[], attributes: OnnxAttributes = {}): string {
    const output = `${op}_${this.#nodes.length}`;
    this.#nodes.push({ op, inputs, output, attributes });
    return output;
  }

  floats(data: Float32Array, dims: readonly number[]): string {
    return this.#constant({ kind: 'float32', dims, data });
  }

  scalar(value: number): string {
    const name = this.#scalars.get(value) ?? this.floats(Float32Array.of(value), []);
    this.#scalars.set(value, name);
    return name;
  }

  integers(data: readonly number[]): string {
    return this.#constant({ kind: 'int64', dims: [data.length], data });
  }

  #constant(constant: OnnxConstant): string {
    const name = `constant_${this.#constants.size}`;
    this.#constants.set(name, constant);
    return name;
  }
}
