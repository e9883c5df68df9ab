import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { describeBareModel } from '#shared/engine/packs/describe-own';
import { BadPack, type Pack } from '#shared/engine/packs/packs';
import { BadOnnx } from '#shared/engine/packs/read-onnx';
import { recogniseFile, type RecognisedFile, type HeadRefusal } from '#shared/engine/packs/recognise-head';
import { recogniseLabels } from '#shared/engine/packs/recognise-labels';
import { createInferenceRuntime } from '../../server/adapters/inference';
import { Refusal } from './refusal';

const SENTENCES = {
  'not-onnx': 'The file is not a pack description, not a ZIP archive and not an ONNX model.',
  'external-data': 'The model stores its weights in another file: export it as a single file.',
  'no-picture-input': 'The model has no image input of the form float32 [1, 3, height, width].',
  'wrong-number-type': 'The model has an input or output that is not float32: export it as float32.',
  'unknown-outputs': 'The output format of the model is unknown.',
} as const satisfies Record<HeadRefusal | BadOnnx['reason'], string>;
const DESCRIBE_IT = 'Write a pack description for it: see models/README.md.';

const recognise = async (file: Uint8Array): Promise<RecognisedFile> => {
  try {
    return await recogniseFile(file, () => createInferenceRuntime(1).createSession(file));
  } catch (cause) {
    if (cause instanceof BadOnnx) throw new Refusal(SENTENCES[cause.reason], { cause });
    throw new Refusal('The model does not run here.', { cause });
  }
};

/**
 * Creates a pack description for a single model file.
 *
 * @param known packs of the catalogue; a file with the hash of one of them gets its description
 * @throws {Refusal} if the classes or the head cannot be recognised from the file
 */
export const describeFile = async (file: Uint8Array, path: string, known: readonly Pack[]): Promise<Pack> => {
  const sha256 = createHash('sha256').update(file).digest('hex');
  const same = known.find(({ models }) => models.length === 1 && models[0]?.sha256 === sha256);
  if (same) return same;
  const { recognised, classNames } = await recognise(file);
  if ('refusal' in recognised) throw new Refusal(SENTENCES[recognised.refusal]);
  const [reading, ...others] = recognised.readings;
  if (!reading || others.length > 0) {
    throw new Refusal(`The output format of the model is ambiguous. ${DESCRIBE_IT}`);
  }
  const labels = recogniseLabels(classNames, reading.classCount);
  if (!reading.classes && Object.keys(labels).length === 0) {
    throw new Refusal(
      `The model has the output format ${reading.head}, but does not name its object classes. ${DESCRIBE_IT}`,
    );
  }
  try {
    return describeBareModel({ fileName: basename(path), sha256, bytes: file.length }, reading, labels);
  } catch (cause) {
    if (cause instanceof BadPack) throw new Refusal(cause.message, { cause });
    throw cause;
  }
};
