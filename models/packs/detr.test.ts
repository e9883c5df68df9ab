import { expect, it } from 'vitest';
import { recogniseFile } from '#shared/engine/packs/recognise-head';
import { createInferenceRuntime } from '../../server/adapters/inference';
import { DETR, DETR_REFERENCE, detectByDetr, detrModel } from './test/tiny-detr';

const open = () => createInferenceRuntime(1).createSession(detrModel());

it('a DETR with random weights has the detections that transformers decodes', async () => {
  const session = await open();
  const found = await detectByDetr(session);
  await session.close();
  expect(found).toEqual(
    DETR_REFERENCE.map(([objectClass, ...values]) => [
      objectClass,
      ...values.map((value) => expect.closeTo(value, 4) as number),
    ]),
  );
});

it('a DETR is recognised by its file, which leaves the number of images open', async () => {
  const { recognised } = await recogniseFile(detrModel(), open);
  expect(recognised).toMatchObject({
    readings: [{ head: 'detr', classCount: 80, outputs: DETR.outputs, input: { size: [64, 64] } }],
  });
});
