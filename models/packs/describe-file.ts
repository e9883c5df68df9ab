import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { describeBareModel } from '#shared/engine/packs/describe-own';
import { BadPack, type Pack } from '#shared/engine/packs/packs';
import { BadOnnx } from '#shared/engine/packs/read-onnx';
import { recogniseFile, type RecognisedFile } from '#shared/engine/packs/recognise-file';
import type { HeadRefusal } from '#shared/engine/packs/recognise-head';
import { recogniseLabels } from '#shared/engine/packs/recognise-labels';
import { createInferenceRuntime } from '../../server/adapters/inference';
import { Refusal } from './refusal';

const SENTENCES = {
  'not-onnx': 'This is no description of a pack, no archive and no ONNX model.',
  'external-data': 'The model keeps its numbers in another file: export it as one file.',
  'no-picture-input': 'The model takes no picture as float32 [1, 3, height, width].',
  'wrong-number-type': 'The model takes or gives other numbers than float32.',
  'unknown-outputs': 'Nothing here reads what the model gives.',
} as const satisfies Record<HeadRefusal | BadOnnx['reason'], string>;
const DESCRIBE_IT = 'Write a description that says so: see models/README.md.';

const recognise = async (file: Uint8Array): Promise<RecognisedFile> => {
  try {
    return await recogniseFile(file, () => createInferenceRuntime(1).createSession(file));
  } catch (cause) {
    if (cause instanceof BadOnnx) throw new Refusal(SENTENCES[cause.reason], { cause });
    throw new Refusal('The model does not run here.', { cause });
  }
};

/**
 * The description of a pack for a model file that comes without one.
 *
 * @param known packs whose files are known by their hashes
 * @throws {Refusal} where its classes or its head cannot be recognised from the file
 */
export const describeFile = async (file: Uint8Array, path: string, known: readonly Pack[]): Promise<Pack> => {
  const sha256 = createHash('sha256').update(file).digest('hex');
  const same = known.find(({ models }) => models.length === 1 && models[0]?.sha256 === sha256);
  if (same) return same;
  const { recognised, classNames } = await recognise(file);
  if ('refusal' in recognised) throw new Refusal(SENTENCES[recognised.refusal]);
  const [reading, ...others] = recognised.readings;
  if (!reading || others.length > 0) {
    throw new Refusal(`The model can be read in several ways. ${DESCRIBE_IT}`);
  }
  const labels = recogniseLabels(classNames, reading.classCount);
  if (!reading.classes && Object.keys(labels).length === 0) {
    throw new Refusal(`The model is read as ${reading.head}, but does not say what it finds. ${DESCRIBE_IT}`);
  }
  try {
    return describeBareModel({ fileName: basename(path), sha256, bytes: file.length }, reading, labels);
  } catch (cause) {
    if (cause instanceof BadPack) throw new Refusal(cause.message, { cause });
    throw cause;
  }
};
