import { describe, expect, it, vi } from 'vitest';
import { filePart, get, remove, upload, waitForTask } from '../testing/conformance-steps';
import { jsonOf, mustRefuse, type Send } from '../testing/conformance';
import { postPhotos, SUBJECTS_PATH } from '../testing/conformance-subjects';
import { createFakeEngine, FAKE_SAMPLES } from '../testing/fake-engine';
import { createFakeVideoEngine } from '../testing/fake-video-engine';
import { createInProcessHost, type InProcessParts } from '../testing/in-process-host';
import { createMemorySubjects } from '../tasks/subjects/subjects';
import { describeSubjectStore } from '../testing/subject-store-contract';
import { blackPng } from '../testing/ramp-images';
import { boxOf, found, planFor } from '../testing/plans';
import { plainRaster } from '../testing/rasters';
import { editFrame } from '../engine/edits/edit-frame';
import type { RenderJob } from '../ports/engine';
import { RAMP_MP4 } from '../testing/video-files';

const photo = (kind: keyof typeof FAKE_SAMPLES) =>
  filePart(blackPng(FAKE_SAMPLES[kind], 200), `${kind}.png`, 'image/png');

interface Detected {
  readonly id: number;
  readonly is_anonymised: boolean;
  readonly shown_confidence?: number;
  readonly track_id?: number;
}

const createSubject = async (
  send: Send,
  kind: keyof typeof FAKE_SAMPLES = 'subject',
  photos = 2,
): Promise<string> =>
  jsonOf<{ id: string }>(
    await postPhotos(
      send,
      Array.from({ length: photos }, () => photo(kind)),
    ),
  ).id;
const uploadFace = async (send: Send, show?: string, query = ''): Promise<string> => {
  const parameters = ['face=true', query, show === undefined ? '' : `show=${show}`].filter(Boolean).join('&');
  return jsonOf<{ id: string }>(await upload(send, { query: parameters })).id;
};
const detected = async (send: Send, id: string): Promise<readonly Detected[]> =>
  jsonOf<{ detections: readonly Detected[] }>(await get(send, `/v1/file/${id}/metadata`)).detections;
const isHidden = async (send: Send, id: string): Promise<boolean | undefined> =>
  (await detected(send, id))[0]?.is_anonymised;
const putEdits = (send: Send, id: string, edits: object) =>
  send({
    method: 'PUT',
    url: `/v1/task/${id}/edits`,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(edits)),
  });
const open = (parts: InProcessParts = {}) => createInProcessHost({}, parts);

describeSubjectStore('in memory', async () => createMemorySubjects());

describe('a subject', () => {
  it('is created from photos, listed, and deleted, and its answer contains no biometric data', async () => {
    const { send } = open();
    const answer = jsonOf<{ id: string }>(await postPhotos(send, [photo('subject'), photo('subject')]));
    expect(Object.keys(answer).sort()).toEqual(['created_at', 'id', 'photos']);
    expect(answer).toMatchObject({ photos: 2 });
    expect(jsonOf(await get(send, SUBJECTS_PATH))).toEqual([answer]);
    expect(jsonOf(await get(send, `${SUBJECTS_PATH}/${answer.id}`))).toEqual(answer);
    jsonOf(await remove(send, `${SUBJECTS_PATH}/${answer.id}`));
    mustRefuse(await get(send, `${SUBJECTS_PATH}/${answer.id}`), 404, 'no subject');
    mustRefuse(await upload(send, { query: `show=${answer.id}` }), 422, '`show`');
  });

  it.each([
    ['twoFaces', 'Photo 2 shows 2 faces'],
    ['smallFace', 'has 10 pixels'],
    ['turnedFace', 'seen from the side'],
  ] as const)(
    'is refused with one sentence for a sample of %s, and nothing is kept',
    async (kind, sentence) => {
      const { send, received, storage } = open();
      mustRefuse(await postPhotos(send, [photo('subject'), photo(kind)]), 422, sentence);
      expect(jsonOf(await get(send, SUBJECTS_PATH))).toEqual([]);
      expect(received.every(({ isHeld }) => !isHeld())).toBe(true);
      expect(storage.keys()).toEqual([]);
    },
  );

  it('leaves no photo behind', async () => {
    const { send, received } = open();
    await createSubject(send);
    expect(received.length).toBe(2);
    expect(received.every(({ isHeld }) => !isHeld())).toBe(true);
  });
});

describe('an upload', () => {
  it('without `show` hides all faces, and its metadata have no field for it', async () => {
    const { send } = open();
    await createSubject(send);
    const [face] = await detected(send, await uploadFace(send));
    expect(face).toMatchObject({ is_anonymised: true });
    expect(face).not.toHaveProperty('shown_confidence');
  });

  it('with `show` reports the face as visible, with its confidence', async () => {
    const { send } = open();
    const [face] = await detected(send, await uploadFace(send, await createSubject(send)));
    expect(face).toMatchObject({ is_anonymised: false, shown_confidence: 0.9 });
  });

  it('with a subject who is not in the image hides all faces', async () => {
    const { send } = open();
    expect(await isHidden(send, await uploadFace(send, await createSubject(send, 'stranger')))).toBe(true);
  });

  it('of a face that overlaps another object hides it', async () => {
    const { send } = open();
    const id = await uploadFace(send, await createSubject(send), 'license-plate=true');
    expect((await detected(send, id)).every(({ is_anonymised }) => is_anonymised)).toBe(true);
  });

  it('fails with one sentence if the subject is deleted during processing, and has no result', async () => {
    const subjects = createMemorySubjects();
    let during: () => Promise<void> = async () => undefined;
    const { send } = open({ subjects, engine: createFakeEngine(() => during()) });
    const subject = await createSubject(send);
    during = async () => void (await subjects.remove(subject));
    mustRefuse(await upload(send, { query: `show=${subject}` }), 422, 'was deleted before');
    const [task] = jsonOf<readonly { id: string }[]>(await get(send, '/v1/task/list'));
    mustRefuse(await get(send, `/v1/file/${task!.id}/anonymised`), 422, '`failed`');
  });

  it('fails if the subject is deleted while the result with the visible face is rendered', async () => {
    const subjects = createMemorySubjects();
    const engine = createFakeEngine();
    const { send } = open({
      subjects,
      engine: {
        ...engine,
        renderImage: async (...job) => {
          await subjects.removeCreatedBefore(Infinity);
          return engine.renderImage(...job);
        },
      },
    });
    const id = await uploadFace(send);
    const subject = await createSubject(send);
    mustRefuse(await upload(send, { query: `face=true&show=${subject}` }), 422, 'was deleted before');
    const later = await createSubject(send);
    mustRefuse(await putEdits(send, id, { show: later }), 422, 'was deleted before');
    expect(await isHidden(send, id)).toBe(true);
  });

  it('is refused where the service recognises no persons, and so are all requests about subjects', async () => {
    const { send } = open({ subjects: null });
    mustRefuse(await postPhotos(send, [photo('subject')]), 403, '--no-subjects');
    mustRefuse(await get(send, SUBJECTS_PATH), 403, '--no-subjects');
    mustRefuse(
      await upload(send, { query: 'show=11111111-2222-4333-8444-555555555555' }),
      403,
      '--no-subjects',
    );
  });
});

describe('edits', () => {
  it('show a subject in a result, and hide the face again', async () => {
    const { send } = open();
    const [subject, id] = [await createSubject(send), await uploadFace(send)];
    jsonOf(await putEdits(send, id, { show: subject }));
    expect(await detected(send, id)).toMatchObject([{ is_anonymised: false, shown_confidence: 0.9 }]);
    jsonOf(await putEdits(send, id, {}));
    expect(await isHidden(send, id)).toBe(true);
  });

  it('hide the face again if the subject was deleted, although the edits are the ones in force', async () => {
    const { send } = open();
    const subject = await createSubject(send);
    const id = await uploadFace(send, subject);
    jsonOf(await remove(send, `${SUBJECTS_PATH}/${subject}`));
    expect(await isHidden(send, id)).toBe(false);
    jsonOf(await putEdits(send, id, {}));
    expect(await isHidden(send, id)).toBe(true);
  });

  it('without `show` keep the subject of the upload, unless they name the face or nobody', async () => {
    const { send } = open();
    const id = await uploadFace(send, await createSubject(send));
    jsonOf(await putEdits(send, id, { method: 'blacken' }));
    expect(await isHidden(send, id)).toBe(false);
    jsonOf(await putEdits(send, id, { objects: [{ id: 0, hidden: true }] }));
    expect(await isHidden(send, id)).toBe(true);
    jsonOf(await putEdits(send, id, { show: 'none' }));
    expect(await isHidden(send, id)).toBe(true);
  });

  it('hide all faces again after the subject of the upload was deleted', async () => {
    const { send } = open();
    const subject = await createSubject(send);
    const id = await uploadFace(send, subject);
    jsonOf(await remove(send, `${SUBJECTS_PATH}/${subject}`));
    expect(await isHidden(send, id)).toBe(false);
    jsonOf(await putEdits(send, id, { method: 'blacken' }));
    expect(await isHidden(send, id)).toBe(true);
  });
});

describe('a video', () => {
  const parts = [{ ...filePart(RAMP_MP4, 'a.mp4', 'video/mp4') }];
  const frames = async (send: Send, id: string): Promise<readonly Detected[]> =>
    jsonOf<readonly { detections: readonly Detected[] }[]>(
      await get(send, `/v1/file/${id}/video/metadata`),
    ).flatMap(({ detections }) => detections);
  const host = () => open({ engine: createFakeVideoEngine({ frameCount: 3 }) });
  const uploadVideo = async (send: Send, query: string): Promise<string> =>
    jsonOf<{ id: string }>(await upload(send, { query, parts })).id;

  it('shows the tracks of the subject with their confidence, and no tracks of a stranger', async () => {
    const { send } = host();
    const shown = await frames(send, await uploadVideo(send, `show=${await createSubject(send)}`));
    expect(shown.map((one) => [one.is_anonymised, one.shown_confidence])).toEqual(
      Array.from({ length: 3 }, () => [false, 0.9]),
    );
    const hidden = await frames(
      send,
      await uploadVideo(send, `show=${await createSubject(send, 'stranger')}`),
    );
    expect(hidden.every((one) => one.is_anonymised && one.shown_confidence === undefined)).toBe(true);
  });

  it('shows a subject by edits, unless the edits hide the track', async () => {
    const { send } = host();
    const [subject, id] = [await createSubject(send), await uploadVideo(send, '')];
    jsonOf(await putEdits(send, id, { show: subject }));
    expect((await frames(send, id)).every((one) => !one.is_anonymised)).toBe(true);
    jsonOf(await putEdits(send, id, { show: subject, objects: [{ id: 7, hidden: true }] }));
    expect((await frames(send, id)).every((one) => one.is_anonymised)).toBe(true);
    expect(await waitForTask(send, id)).toBe('done');
  });

  it('is searched for a subject once, and again only for another one', async () => {
    const engine = createFakeVideoEngine({ frameCount: 3 });
    const searched = vi.spyOn(engine, 'matchTracks');
    const { send } = open({ engine });
    const [subject, other] = [await createSubject(send), await createSubject(send, 'stranger')];
    const id = await uploadVideo(send, `show=${subject}`);
    jsonOf(await putEdits(send, id, { objects: [{ id: 7, hidden: true }] }));
    jsonOf(await putEdits(send, id, { show: subject, method: 'blacken' }));
    expect((await frames(send, id)).every((one) => !one.is_anonymised)).toBe(true);
    expect(searched).toHaveBeenCalledTimes(1);
    jsonOf(await putEdits(send, id, { show: other }));
    expect((await frames(send, id)).every((one) => one.is_anonymised)).toBe(true);
    expect(searched).toHaveBeenCalledTimes(2);
  });

  it('shows a track that edits show for some frames in no other frame, even if it is the subject', async () => {
    const jobs: RenderJob[] = [];
    const duringEdits = (job: RenderJob) => void jobs.push(job);
    const { send } = open({ engine: createFakeVideoEngine({ frameCount: 3, duringEdits }) });
    const [subject, id] = [await createSubject(send), await uploadVideo(send, '')];
    const objects = [{ id: 7, hidden: false, from: 1, to: 1 }];
    jsonOf(await putEdits(send, id, { show: subject, objects }));
    const [{ edits, options }] = jobs as [RenderJob];
    const face = planFor({ width: 64, height: 48 }, [found('face', boxOf(1, 2, 11, 12))]).regions[0]!;
    const shownIn = (index: number) => {
      const frame = {
        index,
        timestampUs: index * 40_000,
        durationUs: 40_000,
        raster: plainRaster(64, 48, [9, 9, 9]),
      };
      const everywhere = { trackId: 7, confidence: 1, ranges: [{ fromUs: 0, untilUs: 1e9 }] };
      const { regions } = editFrame(
        frame,
        { regions: [{ ...face, trackId: 7 }], places: [] },
        { options, edits, shownTracks: [everywhere] },
      );
      return regions.every(({ shown }) => shown !== undefined);
    };
    expect([0, 1, 2].map(shownIn)).toEqual([false, true, false]);
  });
});

describe('embeddings', () => {
  it('appear neither in answers, nor in files of tasks, nor in the log', async () => {
    const secret = 0.123456789;
    const engine = createFakeEngine();
    const withSecret = {
      ...engine,
      embedSample: async () => ({ kind: 'face', embedding: [1, secret] }) as const,
    };
    const { send, storage, log } = open({ engine: withSecret });
    const subject = await createSubject(send);
    const id = await uploadFace(send, subject);
    const answers = [
      ...(await Promise.all(
        [SUBJECTS_PATH, `${SUBJECTS_PATH}/${subject}`, `/v1/task/${id}`, `/v1/file/${id}/metadata`].map(
          (path) => get(send, path),
        ),
      )),
      await get(send, `/v1/file/${id}/report`),
    ].map(({ body }) => new TextDecoder().decode(body));
    const files = await Promise.all(storage.keys().map((key) => storage.read(key)));
    const texts = files.map((bytes) => new TextDecoder('latin1').decode(bytes));
    expect([...answers, ...texts, JSON.stringify(log)].join('')).not.toContain(String(secret));
  });
});
