import {
  jsonOf,
  must,
  mustBe,
  mustHaveFields,
  mustHaveStatus,
  mustHaveType,
  mustRefuse,
  type ConformanceCase,
  type Send,
} from './conformance';
import { filePart, get, remove, UNKNOWN_ID, upload, uploadedId, waitForTask } from './conformance-steps';
import { DETECTION_FIELDS } from './conformance-results';
import { MP4_START } from './ramp-images';
import { RAMP_MP4, RAMP_VIDEO } from './video-files';

const mp4 = (bytes: Uint8Array) => [filePart(bytes, 'ramps.mp4', 'video/mp4')];
const VIDEO = mp4(RAMP_MP4);
/** A file with only the beginning of a video. */
const DEFECTIVE = mp4(MP4_START);
const LAST_FRAME = RAMP_VIDEO.frames - 1;

/** Uploads the test video. Only faces are searched by default, which is fastest. */
const uploadedVideo = (send: Send, query = 'face=true'): Promise<string> =>
  uploadedId(send, { parts: VIDEO, query });
const videoUrl = (id: string, what: 'anonymised' | 'metadata', query = ''): string =>
  `/v1/file/${id}/video/${what}${query}`;

interface Frame {
  readonly id: number;
  readonly detections: readonly Record<string, unknown>[];
  readonly size: readonly number[];
  readonly duration: number;
}
const framesOf = async (send: Send, id: string, query = ''): Promise<readonly Frame[]> =>
  jsonOf(await get(send, videoUrl(id, 'metadata', query)));

const FTYP_AT = 4;
const mustBeMp4 = (bytes: Uint8Array): void =>
  mustBe(new TextDecoder().decode(bytes.subarray(FTYP_AT, FTYP_AT + 4)), 'ftyp', 'the first box');

const countOfTasks = async (send: Send): Promise<number> =>
  jsonOf<unknown[]>(await get(send, '/v1/task/list')).length;

const UPLOADS: readonly ConformanceCase[] = [
  ...['text-match=email', 'text-keep=Exit'].map((query): ConformanceCase => ({
    rule: `a video whose text would have to be read is refused, and nothing of it is stored: ${query}`,
    run: async (send) => {
      const before = await countOfTasks(send);
      const answer = await upload(send, { parts: VIDEO, query: `text=true&${query}` });
      mustRefuse(answer, 422, 'Text is read in images only');
      mustBe(await countOfTasks(send), before, 'the number of tasks');
    },
  })),
  {
    rule: 'a video upload answers with exactly the links of the contract',
    run: async (send) => {
      const answer = jsonOf<Record<string, string>>(await upload(send, { parts: VIDEO, query: 'face=true' }));
      mustHaveFields(answer, ['content_type', 'id', 'anonymized_video', 'metadata_url']);
      const { id = '', content_type, anonymized_video = '', metadata_url = '' } = answer;
      mustBe(content_type, 'video/mp4', 'content_type');
      must(anonymized_video.endsWith(videoUrl(id, 'anonymised')), 'a link to the video', anonymized_video);
      must(metadata_url.endsWith(videoUrl(id, 'metadata')), 'a link to the metadata', metadata_url);
    },
  },
  {
    rule: 'an asynchronous video upload is answered at once, and its task reports the number of frames',
    run: async (send) => {
      const id = await uploadedId(send, { parts: VIDEO, query: 'face=true', isAsync: true });
      mustBe(await waitForTask(send, id), 'done', 'the status');
      const task = jsonOf<Record<string, unknown>>(await get(send, `/v1/task/${id}`));
      mustBe(
        [task['frames_lost'], task['audio_tracks_reencoded'], task['audio_tracks_dropped'], task['padding']],
        [0, 0, 0, [0, 0]],
        'what is left out',
      );
      mustBe(
        [task['content_type'], task['progress'], task['frames_done'], task['frames_total']],
        ['video/mp4', 1, RAMP_VIDEO.frames, RAMP_VIDEO.frames],
        'the record',
      );
    },
  },
  {
    rule: 'a defective video is refused with the reason, or fails if it was queued',
    run: async (send) => {
      mustRefuse(await upload(send, { parts: DEFECTIVE }), 422, 'video');
      const id = await uploadedId(send, { parts: DEFECTIVE, isAsync: true });
      mustBe(await waitForTask(send, id), 'failed', 'the status');
      const { error } = jsonOf<{ error: string | null }>(await get(send, `/v1/task/${id}`));
      must(typeof error === 'string' && error.includes('video'), 'the reason', error);
      mustRefuse(await get(send, videoUrl(id, 'anonymised')), 422, error);
      mustRefuse(await get(send, videoUrl(id, 'metadata')), 422, error);
    },
  },
];

const DOWNLOADS: readonly ConformanceCase[] = [
  {
    rule: 'video/anonymised is an MP4 file',
    run: async (send) => {
      const answer = await get(send, videoUrl(await uploadedVideo(send), 'anonymised'));
      mustHaveStatus(answer, 200);
      mustHaveType(answer, 'video/mp4');
      mustBeMp4(answer.body);
      mustBe(
        answer.headers['content-disposition'],
        'inline; filename="ramps-anonymised.mp4"',
        'content-disposition',
      );
    },
  },
  {
    rule: 'video/anonymised supports ranges, so that a player can seek',
    run: async (send) => {
      const url = videoUrl(await uploadedVideo(send), 'anonymised');
      const { body } = await get(send, url);
      const part = await send({ method: 'GET', url, headers: { range: 'bytes=4-' } });
      mustHaveStatus(part, 206);
      mustBe(
        part.headers['content-range'],
        `bytes 4-${body.byteLength - 1}/${body.byteLength}`,
        'content-range',
      );
      mustBe([...part.body], [...body.subarray(4)], 'the bytes');
    },
  },
  {
    rule: 'method=detect gives the metadata of a video but no video',
    run: async (send) => {
      const id = await uploadedVideo(send, 'method=detect&face=true');
      mustRefuse(await get(send, videoUrl(id, 'anonymised')), 422, 'detect');
      mustBe((await framesOf(send, id)).length, RAMP_VIDEO.frames, 'the number of frames');
    },
  },
  {
    rule: 'the endpoints of images refuse a video and name the right one',
    run: async (send) => {
      const id = await uploadedVideo(send);
      for (const [endpoint, right] of [
        ['anonymised', 'anonymised'],
        ['metadata', 'metadata'],
        ['binary-mask', 'metadata'],
        ['instance-mask', 'metadata'],
      ] as const) {
        mustRefuse(await get(send, `/v1/file/${id}/${endpoint}`), 422, videoUrl(id, right));
      }
    },
  },
  {
    rule: 'a deleted video is gone with its metadata',
    run: async (send) => {
      const [id, kept] = [await uploadedVideo(send), await uploadedVideo(send)];
      mustHaveStatus(await remove(send, `/v1/task/${id}`), 200);
      mustRefuse(await get(send, videoUrl(id, 'anonymised')), 404);
      mustRefuse(await get(send, videoUrl(id, 'metadata')), 404);
      mustHaveStatus(await remove(send, `/v1/task/${kept}?delete-scope=only-files`), 200);
      mustRefuse(await get(send, videoUrl(kept, 'anonymised')), 422, 'deleted');
    },
  },
];

const VIDEO_DETECTION_FIELDS = [...DETECTION_FIELDS, 'track_id'];

const METADATA: readonly ConformanceCase[] = [
  {
    rule: 'video/metadata has exactly the fields of the contract, and the track of each object',
    run: async (send) => {
      const id = await uploadedVideo(send, 'face-threshold=0.01');
      for (const [index, frame] of (await framesOf(send, id)).entries()) {
        mustHaveFields(frame, ['id', 'detections', 'size', 'duration']);
        mustBe([frame.id, frame.size], [index, [RAMP_VIDEO.width, RAMP_VIDEO.height]], 'id and size');
        must(typeof frame.duration === 'number' && frame.duration >= 0, 'seconds', frame.duration);
        for (const [at, detection] of frame.detections.entries()) {
          mustHaveFields(detection, VIDEO_DETECTION_FIELDS);
          mustBe([detection['id'], detection['parent_image']], [at, index], 'id and parent_image');
          must(Number.isInteger(detection['track_id']), 'the number of a track', detection['track_id']);
        }
      }
    },
  },
  {
    rule: 'video/metadata has the frames from start_frame to end_frame, all of them by default',
    run: async (send) => {
      const id = await uploadedVideo(send);
      for (const [query, ids] of [
        ['', [0, 1, 2, 3]],
        ['?start_frame=0&end_frame=3', [0, 1, 2, 3]],
        ['?start-frame=1&end-frame=2', [1, 2]],
        ['?start_frame=3', [3]],
        ['?end_frame=1', [0, 1]],
      ] as const) {
        const frames = await framesOf(send, id, query);
        mustBe(
          frames.map((frame) => frame.id),
          ids,
          `the frames of ${query}`,
        );
      }
    },
  },
  {
    rule: 'video/metadata of frames that do not exist is refused',
    run: async (send) => {
      const id = await uploadedVideo(send);
      for (const [query, name] of [
        [`start_frame=${LAST_FRAME + 1}`, 'start_frame'],
        [`end_frame=${LAST_FRAME + 1}`, 'end_frame'],
        ['start-frame=2&end-frame=1', 'end_frame'],
        ['end_frame=0', 'end_frame'],
        ['start_frame=-1', 'start_frame'],
      ] as const) {
        mustRefuse(await get(send, videoUrl(id, 'metadata', `?${query}`)), 422, name);
      }
    },
  },
  {
    rule: 'video/metadata of an unknown id is 404 while any video is stored',
    run: async (send) => {
      await uploadedVideo(send);
      mustRefuse(await get(send, videoUrl(UNKNOWN_ID, 'metadata')), 404);
    },
  },
];

/** Cases for videos only. */
export const VIDEO_CASES: readonly ConformanceCase[] = [...UPLOADS, ...DOWNLOADS, ...METADATA];
