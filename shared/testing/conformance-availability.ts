import {
  jsonOf,
  mustBe,
  mustHaveStatus,
  mustHaveType,
  mustRefuse,
  type ConformanceCase,
} from './conformance';
import { askWhileBusy, filePart, get, remove, UNKNOWN_ID, upload, uploadedId } from './conformance-steps';
import { RAMP_JPEG } from './ramp-images';

const VIDEO: readonly ConformanceCase[] = [
  {
    rule: "an image's video/anonymised is refused and names the right endpoint",
    run: async (send) => {
      const id = await uploadedId(send);
      mustRefuse(await get(send, `/v1/file/${id}/video/anonymised`), 422, `/v1/file/${id}/anonymised`);
    },
  },
  {
    rule: 'video/metadata without any video asks for a video, for every id',
    run: async (send) => {
      await remove(send, '/v1/task/list?confirm=true'); // other cases upload videos
      mustRefuse(
        await get(send, `/v1/file/${UNKNOWN_ID}/video/metadata?start_frame=0&end_frame=9`),
        422,
        'upload a video file at v1/file first',
      );
    },
  },
  {
    rule: "an image's video/metadata is refused: only videos have one",
    run: async (send) => {
      const id = await uploadedId(send);
      const answer = await get(send, `/v1/file/${id}/video/metadata?start_frame=0&end_frame=9`);
      mustRefuse(answer, 422, 'anonymised video metadata is available only after a video upload');
    },
  },
  ...['start-frame=-1', 'start_frame=0.5', 'end_frame=0', 'end-frame=last'].map((query): ConformanceCase => ({
    rule: `video/metadata with ${query}, which is not a frame number, is refused`,
    run: async (send) => {
      const name = query.split('=')[0]?.replace('-', '_') ?? '';
      mustRefuse(await get(send, `/v1/file/${UNKNOWN_ID}/video/metadata?${query}`), 422, name);
    },
  })),
];

const DOWNLOADS = ['anonymised', 'binary-mask', 'instance-mask', 'metadata'] as const;

const STATES: readonly ConformanceCase[] = [
  ...DOWNLOADS.map((download): ConformanceCase => ({
    rule: `${download} of an unknown task is 404`,
    run: async (send) => {
      mustRefuse(await get(send, `/v1/file/${UNKNOWN_ID}/${download}`), 404);
      mustRefuse(await get(send, `/v1/file/no-uuid/${download}`), 404);
    },
  })),
  {
    rule: "a result that is not done yet is 422 and names the task's status",
    run: async (send) => {
      const { answers, id } = await askWhileBusy(send, (task) =>
        Promise.all(DOWNLOADS.map((download) => get(send, `/v1/file/${task}/${download}`))),
      );
      for (const answer of answers) mustRefuse(answer, 422, /queued|processing/);
      mustHaveStatus(await get(send, `/v1/file/${id}/anonymised`), 200);
    },
  },
  {
    rule: 'results are kept per task',
    run: async (send) => {
      const first = await uploadedId(send);
      await upload(send, { parts: [filePart(RAMP_JPEG, 'other.jpg')] });
      const { filename } = jsonOf<{ filename: string }>(await get(send, `/v1/file/${first}/metadata`));
      mustBe(filename, 'ramps.jpg', 'filename');
    },
  },
  {
    rule: 'HEAD answers like GET, without a body',
    run: async (send) => {
      const url = `/v1/file/${await uploadedId(send)}/anonymised`;
      const whole = await get(send, url);
      const head = await send({ method: 'HEAD', url });
      mustHaveStatus(head, 200);
      mustHaveType(head, 'image/jpeg');
      mustBe(head.body.byteLength, 0, 'the length of the body');
      mustBe(head.headers['content-length'], String(whole.body.byteLength), 'content-length');
    },
  },
];

/** When a download exists, and how it is refused if it does not. */
export const AVAILABILITY_CASES: readonly ConformanceCase[] = [...VIDEO, ...STATES];
