import { describe, expect, it } from 'vitest';
import { jsonOf, mustRefuse, type Send } from '../testing/conformance';
import {
  filePart,
  get,
  remove,
  UNKNOWN_ID,
  upload,
  uploadedId,
  waitForTask,
} from '../testing/conformance-steps';
import { editsPath, putEdits } from '../testing/conformance-edits';
import { UnreadableFile } from '../domain/failure';
import type { RenderJob } from '../ports/engine';
import { createFakeWebhooks } from '../testing/fake-webhooks';
import { createFakeVideoEngine, FAKE_RESULT, type FakeVideo } from '../testing/fake-video-engine';
import { createInProcessHost } from '../testing/in-process-host';
import { RAMP_MP4 } from '../testing/video-files';

const FRAMES = 1_203;
const PARTS = [filePart(RAMP_MP4, 'street.mp4', 'video/mp4')];

const engineOf = (changes: Partial<FakeVideo> = {}) =>
  createFakeVideoEngine({ frameCount: FRAMES, ...changes });
const start = (changes: Partial<FakeVideo> = {}) => createInProcessHost({}, { engine: engineOf(changes) });
const uploadVideo = (send: Send, query = ''): Promise<string> => uploadedId(send, { parts: PARTS, query });
interface Frame {
  readonly id: number;
  readonly detections: readonly Record<string, unknown>[];
}
const framesOf = async (send: Send, id: string, query = ''): Promise<Frame[]> =>
  jsonOf(await get(send, `/v1/file/${id}/video/metadata${query}`));

describe('an uploaded video', () => {
  it('is answered with links to its results', async () => {
    const { send } = start();
    const answer = jsonOf<{ id: string }>(await upload(send, { parts: PARTS }));
    expect(answer).toEqual({
      content_type: 'video/mp4',
      id: answer.id,
      anonymized_video: `http://localhost:7000/v1/file/${answer.id}/video/anonymised`,
      metadata_url: `http://localhost:7000/v1/file/${answer.id}/video/metadata`,
    });
  });

  it('can be downloaded as MP4, as a whole and in ranges', async () => {
    const { send } = start();
    const url = `/v1/file/${await uploadVideo(send)}/video/anonymised`;
    const whole = await get(send, url);
    expect([whole.status, whole.headers['content-type']]).toEqual([200, 'video/mp4']);
    expect([...whole.body]).toEqual([...FAKE_RESULT]);
    const part = await send({ method: 'GET', url, headers: { range: 'bytes=3-12' } });
    expect(part.status).toBe(206);
    expect([...part.body]).toEqual([...FAKE_RESULT.subarray(3, 13)]);
  });

  it('has the number of its processed frames in its task', async () => {
    const { send } = start();
    const id = await uploadVideo(send);
    expect(jsonOf(await get(send, `/v1/task/${id}`))).toMatchObject({
      status: 'done',
      progress: 1,
      frames_done: FRAMES,
      frames_total: FRAMES,
    });
  });

  it('has fields of frames in its task, which an image does not have', async () => {
    const { send } = start();
    const record = jsonOf<object>(await get(send, `/v1/task/${await uploadedId(send)}`));
    expect(Object.keys(record).filter((field) => field.startsWith('frames'))).toEqual([]);
  });

  it('has no track ids with no-object-tracking', async () => {
    const { send } = start();
    const [followed] = await framesOf(send, await uploadVideo(send), '?end_frame=1');
    const [alone] = await framesOf(send, await uploadVideo(send, 'no-object-tracking=True'), '?end_frame=1');
    expect(followed?.detections[0]).toHaveProperty('track_id', 7);
    expect(alone?.detections[0]).not.toHaveProperty('track_id');
  });

  it('has no anonymised file with method=detect', async () => {
    const { send, storage } = start();
    const id = await uploadVideo(send, 'method=detect');
    mustRefuse(await get(send, `/v1/file/${id}/video/anonymised`), 422, 'detect');
    expect(await framesOf(send, id)).toHaveLength(FRAMES);
    expect(storage.keys().filter((key) => key.endsWith('.mp4'))).toEqual([`input/${id}/source.mp4`]);
  });
});

it('the audio that edits remove reaches neither the engine nor a check of its codec', async () => {
  const jobs: RenderJob[] = [];
  const { send } = start({ unmutableAudio: ['eac3'], duringEdits: (job) => jobs.push(job) });
  const id = await uploadVideo(send);
  expect((await putEdits(send, id, { audio: 'mute', mute: [[0, 1]] })).status).toBe(200);
  expect((await putEdits(send, id, { method: 'blacken' })).status).toBe(200);
  expect(jobs.map(({ audio }) => audio)).toEqual(['mute', 'keep']);
});

describe('muted parts of a video', () => {
  it('reach the engine sorted and joined', async () => {
    const jobs: RenderJob[] = [];
    const { send } = start({ duringEdits: (job) => jobs.push(job) });
    const mute = [
      [12.5, 14],
      [0, 1],
      [13, 15.25],
    ];
    expect((await putEdits(send, await uploadVideo(send), { mute })).status).toBe(200);
    expect(jobs.map(({ edits }) => edits.mute)).toEqual([
      [
        [0, 1],
        [12.5, 15.25],
      ],
    ]);
  });

  it('are refused where the host cannot mute the audio, and other edits are accepted', async () => {
    const { send } = start({ unmutableAudio: ['eac3'] });
    const id = await uploadVideo(send);
    mustRefuse(await putEdits(send, id, { mute: [[0, 1]] }), 422, 'coding eac3');
    expect(jsonOf(await get(send, editsPath(id)))).not.toHaveProperty('mute');
    expect((await putEdits(send, id, { method: 'blacken', mute: [] })).status).toBe(200);
  });

  it('that fail because of the audio are answered with the reason, and the old result stays', async () => {
    const duringEdits = (): never => {
      throw new UnreadableFile('Parts of the audio cannot be muted here: its coding is eac3.');
    };
    const { send } = start({ duringEdits });
    const id = await uploadVideo(send);
    mustRefuse(await putEdits(send, id, { mute: [[0, 1]] }), 500, 'its coding is eac3');
    expect((await get(send, `/v1/file/${id}/video/anonymised`)).status).toBe(200);
    expect(jsonOf(await get(send, editsPath(id)))).not.toHaveProperty('mute');
  });
});

describe("a video's metadata", () => {
  it('has the frames from start_frame to end_frame, all of them by default', async () => {
    const { send } = start();
    const id = await uploadVideo(send);
    const idsOf = async (query: string) => (await framesOf(send, id, query)).map((frame) => frame.id);
    expect(await idsOf('')).toEqual(Array.from({ length: FRAMES }, (_, index) => index));
    expect(await idsOf('?start_frame=498&end_frame=501')).toEqual([498, 499, 500, 501]);
    expect(await idsOf('?start_frame=1202')).toEqual([1202]);
    expect(await idsOf('?end_frame=1')).toEqual([0, 1]);
  });

  it('has the fields of the contract', async () => {
    const { send } = start();
    const [frame] = await framesOf(send, await uploadVideo(send), '?start_frame=5&end_frame=5');
    expect(frame).toEqual({
      id: 5,
      size: [64, 48],
      duration: 0.1,
      detections: [
        {
          id: 0,
          parent_image: 5,
          offset: [1, 2],
          bbox: [1, 2, 11, 12],
          type: 103,
          score: 0.9,
          is_anonymised: true,
          type_label: 'face',
          color: null,
          track_id: 7,
        },
      ],
    });
  });

  it.each([
    ['start_frame=1203', '`start_frame` must be a whole number from 0 to 1202, not 1203.'],
    ['end_frame=1203', '`end_frame` must be a whole number from 1 to 1202, not 1203.'],
    ['start_frame=7&end_frame=6', '`end_frame` must be a whole number from 7 to 1202, not 6.'],
    ['end_frame=0', '`end_frame` must be a whole number from 1 on, not "0".'],
    ['start_frame=-1', '`start_frame` must be a whole number from 0 on, not "-1".'],
    ['start_frame=x', '`start_frame` must be a whole number from 0 on, not "x".'],
  ])('is refused with %s, and the sentence contains the allowed values', async (query, sentence) => {
    const { send } = start();
    mustRefuse(await get(send, `/v1/file/${await uploadVideo(send)}/video/metadata?${query}`), 422, sentence);
  });

  it('is refused with separate sentences without any video, for an image and for an unknown id', async () => {
    const { send } = start();
    const image = await uploadedId(send);
    const url = (id: string): string => `/v1/file/${id}/video/metadata`;
    mustRefuse(await get(send, url(UNKNOWN_ID)), 422, /No video has been uploaded.*v1\/file first/);
    mustRefuse(await get(send, url(image)), 422, /only after a video upload/);
    await uploadVideo(send);
    mustRefuse(await get(send, url(UNKNOWN_ID)), 404);
    mustRefuse(await get(send, url(image)), 422, /only after a video upload/);
  });

  it('is stored in files of 500 frames, which are deleted with the task', async () => {
    const { send, storage } = start();
    const id = await uploadVideo(send);
    const files = storage.keys().filter((key) => key.includes('metadata'));
    expect(files).toEqual([0, 1, 2].map((file) => `output/${id}/metadata-00000${file}.json`));
    await remove(send, `/v1/task/${id}`);
    expect(storage.keys()).toEqual([]);
  });

  it.each(['task/{id}?delete-scope=only-files', 'task/list?confirm=true'])(
    'is deleted by DELETE /v1/%s',
    async (path) => {
      const { send, storage } = start();
      const id = await uploadVideo(send);
      await remove(send, `/v1/${path.replace('{id}', id)}`);
      expect(storage.keys()).toEqual([]);
    },
  );
});

describe('the end of a video', () => {
  it.each([
    ['done', undefined],
    ['failed', 'The video is truncated.'],
  ])('is sent to its webhook: %s', async (status, unreadable) => {
    const webhooks = createFakeWebhooks();
    const engine = engineOf(unreadable === undefined ? {} : { unreadable });
    const { send } = createInProcessHost({}, { engine, webhooks });
    const query = 'webhook=https%3A%2F%2Freceiver.example%2Fhook';
    const id = await uploadedId(send, { parts: PARTS, query, isAsync: true });
    expect(await waitForTask(send, id)).toBe(status);
    await expect.poll(() => webhooks.timer.elapse()).toBeDefined();
    await expect.poll(() => webhooks.calls.length).toBe(1);
    expect(JSON.parse(webhooks.calls[0]!.body)).toMatchObject({
      type: 'notification.processing.status.changed',
      event: { id, status },
    });
  });
});

describe('with --hold latest', () => {
  it.each([
    ['an image', 'a video', [filePart()], PARTS],
    ['a video', 'an image', PARTS, [filePart()]],
    ['a video', 'a video', PARTS, PARTS],
  ])('%s is deleted with all its files after the upload of %s', async (_before, _after, before, after) => {
    const { send, storage } = createInProcessHost({ hold: 'latest' }, { engine: engineOf() });
    const first = await uploadedId(send, { parts: before });
    const second = await uploadedId(send, { parts: after });
    expect(jsonOf(await get(send, `/v1/task/${first}`))).toMatchObject({ status: 'deleted' });
    expect(storage.keys().filter((key) => !key.includes(second))).toEqual([]);
    expect(storage.keys()).not.toEqual([]);
  });
});

describe('a refused or failed video', () => {
  it('has a failed task with a reason, and no files', async () => {
    const { send, storage } = start({ unreadable: 'The video is truncated.' });
    mustRefuse(await upload(send, { parts: PARTS }), 422, 'truncated');
    const id = await uploadedId(send, { parts: PARTS, isAsync: true });
    expect(await waitForTask(send, id)).toBe('failed');
    expect(jsonOf(await get(send, `/v1/task/${id}`))).toMatchObject({ error: 'The video is truncated.' });
    mustRefuse(await get(send, `/v1/file/${id}/video/anonymised`), 422, 'truncated');
    mustRefuse(await get(send, `/v1/file/${id}/video/metadata`), 422, 'truncated');
    expect(storage.keys()).toEqual([]);
  });

  it('is answered with 500 after a fault of the engine, and leaves no partly hidden file', async () => {
    const { send, storage } = start({ during: () => Promise.reject(new Error('a frame was left over')) });
    expect((await upload(send, { parts: PARTS })).status).toBe(500);
    expect(storage.keys()).toEqual([]);
  });

  it('is refused by endpoints for images, and an image by those for videos, with the right endpoint', async () => {
    const { send } = start();
    const [video, image] = [await uploadVideo(send), await uploadedId(send)];
    mustRefuse(await get(send, `/v1/file/${video}/anonymised`), 422, 'video/anonymised');
    mustRefuse(await get(send, `/v1/file/${video}/metadata`), 422, 'video/metadata');
    mustRefuse(await get(send, `/v1/file/${video}/binary-mask`), 422, 'video/metadata');
    mustRefuse(await get(send, `/v1/file/${image}/video/anonymised`), 422, `${image}/anonymised`);
  });

  it('is refused with the name of its container if that is not supported', async () => {
    const { send } = start();
    const avi = new TextEncoder().encode(`RIFF....AVI ${'.'.repeat(600)}`);
    mustRefuse(await upload(send, { parts: [filePart(avi, 'a.mp4', 'video/mp4')] }), 422, /an AVI video/);
  });

  it('is refused with a hint if the host supports no videos', async () => {
    const { send } = createInProcessHost();
    mustRefuse(await upload(send, { parts: PARTS }), 422, /install ffmpeg/);
  });
});
