import {
  jsonOf,
  mustBe,
  mustHaveStatus,
  mustRefuse,
  type Answer,
  type ConformanceCase,
  type Send,
  type SentPart,
} from './conformance';
import { putEdits } from './conformance-edits';
import { filePart, get, remove, UNKNOWN_ID, upload, uploadedId } from './conformance-steps';
import { blackPng } from './ramp-images';

export const SUBJECTS_PATH = '/v1/subjects';

export const postPhotos = (send: Send, parts: readonly SentPart[]): Promise<Answer> =>
  send({ method: 'POST', url: SUBJECTS_PATH, parts });

const putShow = (send: Send, id: string, show: unknown): Promise<Answer> => putEdits(send, id, { show });

const anonymised = async (send: Send, id: string): Promise<readonly number[]> => [
  ...(await get(send, `/v1/file/${id}/anonymised`)).body,
];

const textBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const TINY = filePart(blackPng(10, 10), 'tiny.png', 'image/png');

/** Rules of subjects that every host keeps, also without a photo of a face. */
export const SUBJECT_CASES: readonly ConformanceCase[] = [
  {
    rule: 'a host has no subjects at first, and a refused request creates none',
    run: async (send) => {
      mustRefuse(await postPhotos(send, [filePart()]), 422, /photo 1\b/i);
      mustRefuse(await postPhotos(send, [TINY]), 422);
      mustBe(jsonOf(await get(send, SUBJECTS_PATH)), [], 'the subjects');
    },
  },
  {
    rule: 'a subject needs one to ten photos, each in a part named fileobject, and each of them readable',
    run: async (send) => {
      const text = { ...filePart(textBytes('a note'), 'note', 'text/plain'), filename: null, name: 'note' };
      mustRefuse(await postPhotos(send, [text]), 422, 'no photo');
      mustRefuse(
        await postPhotos(
          send,
          Array.from({ length: 11 }, () => filePart()),
        ),
        422,
        '11 photos',
      );
      mustRefuse(await postPhotos(send, [{ ...filePart(), name: 'photo' }]), 422, '`fileobject`');
      mustRefuse(await postPhotos(send, [filePart(new Uint8Array())]), 422, 'empty');
      mustRefuse(await postPhotos(send, [filePart(textBytes('no image'))]), 422);
    },
  },
  {
    rule: 'an unknown subject is refused wherever it is named, and nothing is processed or changed',
    run: async (send) => {
      for (const id of [UNKNOWN_ID, 'nobody']) {
        mustRefuse(await get(send, `${SUBJECTS_PATH}/${id}`), 404, 'no subject');
        mustRefuse(await remove(send, `${SUBJECTS_PATH}/${id}`), 404, 'no subject');
      }
      const before = jsonOf<readonly object[]>(await get(send, '/v1/task/list')).length;
      mustRefuse(await upload(send, { query: `show=${UNKNOWN_ID}` }), 422, '`show`');
      mustRefuse(await upload(send, { query: 'show=nobody' }), 422, '`show`');
      mustBe(
        jsonOf<readonly object[]>(await get(send, '/v1/task/list')).length,
        before,
        'the number of tasks',
      );
      const id = await uploadedId(send);
      const image = await anonymised(send, id);
      for (const show of [UNKNOWN_ID, 'nobody', 1, null]) {
        mustRefuse(await putShow(send, id, show), 422, '`show`');
      }
      mustBe(await anonymised(send, id), image, 'the image');
    },
  },
  {
    rule: 'edits that show nobody are accepted, and change no image',
    run: async (send) => {
      const id = await uploadedId(send, { query: 'bbox=true' });
      const image = await anonymised(send, id);
      mustHaveStatus(await putShow(send, id, 'none'), 200);
      mustBe(await anonymised(send, id), image, 'the image');
    },
  },
  {
    rule: 'the list of subjects can be read and extended, and is never deleted as a whole',
    run: async (send) => mustRefuse(await remove(send, SUBJECTS_PATH), 405, 'POST'),
  },
];
