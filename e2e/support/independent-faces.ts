import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { openFaceApi, type FaceApi } from '../../models/build/tfjs/face-api';

const require = createRequire(import.meta.url);
const DETECTOR = join(
  dirname(require.resolve('@vladmandic/face-api/package.json')),
  'model/ssd_mobilenetv1_model',
);
/** Input size for which the detector is made. Larger images only take longer. */
const LOOK_AT_PX = 800;

const load = async (): Promise<FaceApi> => {
  const faceApi = await openFaceApi();
  const manifest = JSON.parse(readFileSync(`${DETECTOR}-weights_manifest.json`, 'utf8')) as readonly {
    readonly weights: readonly object[];
  }[];
  const bytes = Uint8Array.from(readFileSync(`${DETECTOR}.bin`)).buffer;
  const specs = manifest.flatMap(({ weights }) => weights);
  faceApi.nets.ssdMobilenetv1.loadFromWeightMap(faceApi.tf.io.decodeWeights(bytes, specs));
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
  const tensor = faceApi.tf.tensor3d(new Uint8Array(data), [info.height, info.width, 3], 'int32');
  const options = new faceApi.SsdMobilenetv1Options({ minConfidence });
  const faces = await faceApi.detectAllFaces(tensor, options);
  tensor.dispose();
  return faces.length;
};
