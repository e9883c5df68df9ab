import catalogue from '../catalogue.json' with { type: 'json' };
import { sha256Of, tinyModel } from './tiny-models';

const SIDE = 640;
const CLASSES = 80;
const CAR = 2;
const LOW = -9;

/** A network of the form of D-FINE that always detects one car in the centre. */
const centredCar = (logit: number): Uint8Array => {
  const logits = new Float32Array(CLASSES).fill(LOW);
  logits[CAR] = logit;
  return tinyModel(
    'pixel_values',
    [1, 3, SIDE, SIDE],
    [
      { name: 'logits', dims: [1, 1, CLASSES], data: logits },
      { name: 'pred_boxes', dims: [1, 1, 4], data: Float32Array.of(0.5, 0.5, 0.5, 0.5) },
    ],
  );
};

/** A recommended model, and a network of a few hundred bytes in its place. */
export interface StandIn {
  readonly id: string;
  readonly url: string;
  readonly file: Uint8Array;
}

const modelOf = (id: string) => {
  const model = catalogue.packs.find((pack) => pack.id === id)?.models[0];
  if (!model) throw new Error(`the catalogue has no pack ${id}`);
  return model;
};

/** In place of the recommended models, which tests cannot download. */
export const RECOMMENDED_STAND_INS: readonly StandIn[] = catalogue.recommended.map((id, index) => ({
  id,
  url: modelOf(id).source.url,
  file: centredCar(3 + index),
}));

/** The text of a built script, with the hashes and lengths of the stand-ins. */
export const withStandIns = (script: string): string =>
  RECOMMENDED_STAND_INS.reduce((text, { id, file }) => {
    const { sha256, bytes } = modelOf(id);
    return text.replaceAll(sha256, sha256Of(file)).replaceAll(String(bytes), String(file.length));
  }, script);
