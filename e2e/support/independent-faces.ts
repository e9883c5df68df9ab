import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as FaceApiModule from '@vladmandic/face-api';
import sharp from 'sharp';

type FaceApi = typeof FaceApiModule;
interface Wasm {
  setWasmPaths(folder: string): void;
}

const require = createRequire(import.meta.url);
const MODELS = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'model');
/** Input size for which the detector is made. Larger images only take longer. */
const LOOK_AT_PX = 800;

const load = async (): Promise<FaceApi> => {
  const wasm = require('@tensorflow/tfjs-backend-wasm') as Wasm;
  wasm.setWasmPaths(`${dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  const faceApi = require('@vladmandic/face-api/dist/face-api.node-wasm.js') as FaceApi;
  const tf = faceApi.tf as unknown as { setBackend(name: string): Promise<boolean>; ready(): Promise<void> };
  await tf.setBackend('wasm');
  await tf.ready();
  await faceApi.nets.ssdMobilenetv1.loadFromDisk(MODELS);
  return faceApi;
};

let loading: Promise<FaceApi> | undefined;

/**
 * Counts faces with a detector that is unrelated to the product's, because it may find faces that the product missed or
 * hid badly.
 *
 * @param minConfidence 0..1
 */
export const countFacesIndependently = async (file: Uint8Array, minConfidence = 0.5): Promise<number> => {
  const faceApi = await (loading ??= load());
  const image = sharp(file).rotate().resize(LOOK_AT_PX).removeAlpha().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const tf = faceApi.tf as unknown as {
    tensor3d(
      values: Uint8Array,
      shape: [number, number, number],
      type: 'int32',
    ): object & { dispose(): void };
  };
  const tensor = tf.tensor3d(new Uint8Array(data), [info.height, info.width, 3], 'int32');
  const options = new faceApi.SsdMobilenetv1Options({ minConfidence });
  const faces = await faceApi.detectAllFaces(tensor as never, options);
  tensor.dispose();
  return faces.length;
};
