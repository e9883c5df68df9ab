import type { PackModel } from './packs';
import { BadOnnx, readOnnx } from './read-onnx';

/**
 * The model with the name of its input as the file has it, if the file has a single one.
 *
 * Exporters name it differently, and the catalogue describes files that nobody of the project has opened.
 */
export const withInputOf = (model: PackModel, file: Uint8Array): PackModel => {
  try {
    const [input, ...others] = readOnnx(file).inputs;
    if (!input || others.length > 0) return model;
    return { ...model, input: { ...model.input, name: input.name } };
  } catch (error) {
    // Running the file refuses it, with the reason.
    if (error instanceof BadOnnx) return model;
    throw error;
  }
};
