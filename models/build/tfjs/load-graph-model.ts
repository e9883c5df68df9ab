import { openFaceApi, type GraphModel } from './face-api';

/** Loads a graph with TensorFlow.js from the files of its package, as the reference for conversions. */
export const loadGraphModel = async (json: Uint8Array, weights: Uint8Array): Promise<GraphModel> => {
  const { modelTopology, weightsManifest } = JSON.parse(new TextDecoder().decode(json)) as {
    readonly modelTopology: object;
    readonly weightsManifest: readonly { readonly weights: readonly object[] }[];
  };
  const { tf } = await openFaceApi();
  return tf.loadGraphModel({
    load: () =>
      Promise.resolve({
        modelTopology,
        weightSpecs: weightsManifest.flatMap((group) => group.weights),
        weightData: Uint8Array.from(weights).buffer,
      }),
  });
};
