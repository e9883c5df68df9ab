import * as tf from '@tensorflow/tfjs';

/** Loads a graph with TensorFlow.js from the files of its package, as the reference for conversions. */
export const loadGraphModel = (json: Uint8Array, weights: Uint8Array): Promise<tf.GraphModel> => {
  const { modelTopology, weightsManifest } = JSON.parse(new TextDecoder().decode(json)) as {
    modelTopology: object;
    weightsManifest: tf.io.WeightsManifestConfig;
  };
  return tf.loadGraphModel({
    load: () =>
      Promise.resolve({
        modelTopology,
        weightSpecs: weightsManifest.flatMap((group) => group.weights),
        weightData: Uint8Array.from(weights).buffer,
      }),
  });
};
