import { expect, it } from 'vitest';
import { recogniseFile } from '#shared/engine/packs/recognise-head';
import { createInferenceRuntime } from '../../server/adapters/inference';
import { DETR, detrModel, expectReference } from './test/tiny-detr';

const open = () => createInferenceRuntime(1).createSession(detrModel());

it('a DETR with random weights has the detections that transformers decodes', async () => {
  await expectReference(await open());
});

it('a DETR is recognised by its file, which leaves the number of images open', async () => {
  const { recognised } = await recogniseFile(detrModel(), open);
  expect(recognised).toMatchObject({
    readings: [{ head: 'detr', classCount: 80, outputs: DETR.outputs, input: { size: [64, 64] } }],
  });
});
