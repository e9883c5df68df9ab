import { readFile } from 'node:fs/promises';
import type { ModelEntry } from '#shared/domain/manifest';
import { headOf } from '#shared/engine/heads/heads';
import type { InferenceSession, Tensor } from '#shared/ports/inference';
import { createInferenceRuntime } from '../../server/adapters/inference';
import { Refusal } from './refusal';

/** Side of the test image for a network of any size, rounded up to the next supported size. */
const TRIED_SIDE = 256;

const sizeFor = ({ input: { size, multipleOf = 1 } }: ModelEntry): readonly [number, number] => {
  const side = Math.ceil(TRIED_SIDE / multipleOf) * multipleOf;
  return size ?? [side, side];
};

/** A box in the centre, for networks with a box as their prompt. */
const promptsOf = ({
  input: { prompts, size = [TRIED_SIDE, TRIED_SIDE] },
}: ModelEntry): Record<string, Tensor> => {
  if (!prompts) return {};
  const corners = Float32Array.of(size[0] / 4, size[1] / 4, (3 * size[0]) / 4, (3 * size[1]) / 4);
  return {
    [prompts.points]: { data: corners, dims: [1, 1, 2, 2] },
    [prompts.labels]: { data: Float32Array.of(2, 3), dims: [1, 1, 2] },
  };
};

const runOnce = async (session: InferenceSession, entry: ModelEntry): Promise<void> => {
  const [width, height] = sizeFor(entry);
  const image = { data: new Float32Array(3 * width * height), dims: [1, 3, height, width] };
  const outputs = await session.run({ ...promptsOf(entry), [entry.input.name]: image });
  const inOrder = entry.outputs.map((name) => {
    const output = outputs[name];
    if (!output) throw new Error(`it has no output named ${name}`);
    return output;
  });
  const { decode } = headOf(entry.head);
  if (!decode) return;
  for (const { box } of decode(inOrder, { width, height }, entry.thresholds, entry.labels)) {
    if (!Object.values(box).every(Number.isFinite)) {
      throw new Error('it returns boxes with invalid coordinates');
    }
  }
};

/**
 * Runs a model on a black image and decodes its outputs, so that a model that does not work is refused at once.
 *
 * @throws {Refusal}
 */
export const tryModel = async (entry: ModelEntry, file: string): Promise<void> => {
  try {
    const session = await createInferenceRuntime(1).createSession(await readFile(file));
    try {
      await runOnce(session, entry);
    } finally {
      await session.close();
    }
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n');
    throw new Refusal(`The model ${entry.id} does not run as described in its pack: ${reason}.`, { cause });
  }
};
