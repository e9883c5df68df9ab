import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { RefusedRequest } from '#shared/api/client';
import { NO_SUBJECT } from '#shared/domain/subject';
import type { SubjectHost } from '../../state/subjects/shown-person';
import { resultWith, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { SubjectButton } from './subject-button';

const ID = '00000000-0000-4000-8000-000000000001';
const REFUSAL = 'Photo 1 shows no face: send photos of the person’s face.';
const FACE = { objectClass: 'face', box: { x1: 10, y1: 10, x2: 60, y2: 70 } } as const;

/** @param answers one for each request: an id, or a refusal */
const render = (...answers: readonly (string | RefusedRequest)[]) => {
  const waiting = [...answers];
  const client = {
    createSubject: async () => {
      const answer = waiting.shift();
      if (answer instanceof RefusedRequest) throw answer;
      return { id: answer };
    },
    deleteSubject: async () => ({ result: 'success' }),
  } as unknown as SubjectHost['client'];
  return renderPart(stateWith({ 'a.jpg': resultWith('a', [FACE]) }), () => <SubjectButton />, {
    subjectHost: () => ({ name: 'tab', client }),
  });
};

const start = page.getByRole('button', { name: 'Keep this person visible' });
const open = () => userEvent.click(page.getByRole('button', { name: 'Keep one person visible' }));
const addPhoto = () => userEvent.upload(page.getByTestId('subject-input'), new File(['x'], 'x.jpg'));

it('a person is chosen by photos, and everyone is hidden again by one button', async () => {
  const store = await render(ID);
  await open();
  await expect.element(start).toBeDisabled();
  await addPhoto();
  await userEvent.click(start);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(store.get().settings.show).toBe(ID);
  await open();
  await userEvent.click(page.getByRole('button', { name: 'Hide everyone again' }));
  expect(store.get().settings.show).toBe(NO_SUBJECT);
});

it('a refused photo is reported in the sentence of the API, and nobody becomes visible', async () => {
  const store = await render(new RefusedRequest(422, REFUSAL));
  await open();
  await addPhoto();
  await userEvent.click(start);
  await expect.element(page.getByRole('alert')).toHaveTextContent(REFUSAL);
  expect(store.get().settings.show).toBeUndefined();
});

it('frames of a video that are refused are left out, and the person is chosen by the other frames', async () => {
  const canvas = new OffscreenCanvas(400, 300);
  canvas.getContext('2d')?.fillRect(0, 0, 400, 300);
  const file = new File([await canvas.convertToBlob()], 'a.png');
  const state = stateWith({ 'a.png': resultWith('a', [FACE]) });
  const sent: (readonly File[])[] = [];
  const client = {
    createSubject: async (photos: readonly File[]) => {
      sent.push(photos);
      // The second of the three frames is turned away.
      if (photos.includes(sent[0]![1]!)) throw new RefusedRequest(422, REFUSAL);
      return { id: ID };
    },
    deleteSubject: async () => ({ result: 'success' }),
  } as unknown as SubjectHost['client'];
  const store = await renderPart(
    { ...state, items: state.items.map((item) => ({ ...item, file })) },
    () => <SubjectButton faces={[FACE, FACE, FACE]} name="Face" />,
    { subjectHost: () => ({ name: 'tab', client }) },
  );
  await userEvent.click(page.getByRole('button', { name: 'Keep visible … Face' }));
  await expect.element(page.getByRole('img', { name: 'Sample photo 3' })).toBeVisible();
  await userEvent.click(start);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(store.get().settings.show).toBe(ID);
  expect(sent.at(-1)).toEqual([sent[0]![0], sent[0]![2]]);
});
