import {
  OTHER_HOST,
  jsonOf,
  must,
  mustBe,
  mustHaveFields,
  mustHaveStatus,
  mustRefuse,
  type ConformanceCase,
  type Send,
} from './conformance';
import {
  askWhileBusy,
  filePart,
  get,
  keepBusy,
  MAX_ATTEMPTS,
  remove,
  UNKNOWN_ID,
  upload,
  uploadedId,
  waitForAll,
  waitForTask,
} from './conformance-steps';
import { blackPng } from './ramp-images';

interface TaskAnswer {
  readonly id: string;
  readonly result: string;
  readonly message: string;
  readonly status: string;
  readonly progress: number;
  readonly content_type: string;
  readonly filename: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly error: string | null;
  readonly webhook: object | null;
}
const TASK_FIELDS = [
  'result',
  'message',
  'id',
  'status',
  'progress',
  'content_type',
  'filename',
  'created_at',
  'started_at',
  'finished_at',
  'error',
  'webhook',
];
const VIDEO_TASK_FIELDS = [
  ...TASK_FIELDS,
  ...['frames_done', 'frames_total', 'conversion_progress', 'frames_lost', 'frames_lost_uncertain'],
  ...['audio_tracks_reencoded', 'audio_tracks_dropped', 'padding'],
];
const fieldsOf = ({ content_type }: TaskAnswer): string[] =>
  content_type.startsWith('video/') ? VIDEO_TASK_FIELDS : TASK_FIELDS;
/** ISO 8601 without a zone. */
export const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/;

const RECORDS: readonly ConformanceCase[] = [
  {
    rule: 'a task that is done has the status done and every field of a record',
    run: async (send) => {
      const id = await uploadedId(send);
      const task = jsonOf<TaskAnswer>(await get(send, `/v1/task/${id}`));
      mustHaveFields(task, TASK_FIELDS);
      mustBe(
        [task.result, task.id, task.status, task.progress, task.error, task.webhook],
        ['success', id, 'done', 1, null, null],
        'the record',
      );
      mustBe([task.content_type, task.filename], ['image/jpeg', 'ramps.jpg'], 'the file');
      for (const moment of [task.created_at, task.started_at, task.finished_at]) {
        must(moment !== null && MOMENT.test(moment), 'ISO 8601 without a zone', moment);
      }
    },
  },
  {
    rule: 'the task list holds the same records, newest first',
    run: async (send) => {
      const older = await uploadedId(send);
      const newer = await uploadedId(send);
      const tasks = jsonOf<TaskAnswer[]>(await get(send, '/v1/task/list'));
      mustBe(
        tasks.slice(0, 2).map(({ id }) => id),
        [newer, older],
        'the newest tasks',
      );
      for (const task of tasks) mustHaveFields(task, fieldsOf(task));
    },
  },
  {
    rule: 'the task list with a limit gives pages, and Link the address of the next one',
    run: async (send) => {
      const older = await uploadedId(send);
      const newer = await uploadedId(send);
      const first = await get(send, '/v1/task/list?limit=1');
      mustBe(
        jsonOf<TaskAnswer[]>(first).map(({ id }) => id),
        [newer],
        'the first page',
      );
      const [, address = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.link ?? '') ?? [];
      const { pathname, search } = new URL(address, 'http://localhost');
      const second = await get(send, pathname + search);
      mustBe(
        jsonOf<TaskAnswer[]>(second).map(({ id }) => id),
        [older],
        'the second page',
      );
      const all = jsonOf<TaskAnswer[]>(await get(send, '/v1/task/list?limit=1000'));
      must(all.length >= 2, 'all tasks on one large page', all.length);
      mustRefuse(await get(send, '/v1/task/list?limit=0'), 422, 'limit');
      mustRefuse(await get(send, '/v1/task/list?cursor=x'), 422, 'cursor');
    },
  },
  {
    rule: 'an unknown task is 404',
    run: async (send) => {
      for (const id of [UNKNOWN_ID, 'no-uuid', '..%2f..%2fetc', '%zz']) {
        mustRefuse(await get(send, `/v1/task/${id}`), 404);
        mustRefuse(await remove(send, `/v1/task/${id}`), 404);
      }
    },
  },
];

const mustBeSuccess = (answer: Parameters<typeof jsonOf>[0]): void => {
  const body = jsonOf<{ result: string; message: string }>(answer);
  mustHaveFields(body, ['result', 'message']);
  mustBe(body.result, 'success', 'result');
  must(typeof body.message === 'string', 'a message', body);
};

const DELETIONS: readonly ConformanceCase[] = [
  {
    rule: 'a deleted task is gone with its files',
    run: async (send) => {
      const id = await uploadedId(send);
      mustBeSuccess(await remove(send, `/v1/task/${id}`));
      mustRefuse(await get(send, `/v1/task/${id}`), 404);
      mustRefuse(await get(send, `/v1/file/${id}/anonymised`), 404);
      mustRefuse(await remove(send, `/v1/task/${id}`), 404);
      const tasks = jsonOf<TaskAnswer[]>(await get(send, '/v1/task/list'));
      must(!tasks.some((task) => task.id === id), 'the task gone from the list', tasks);
    },
  },
  {
    rule: 'only-files keeps the record, with status deleted',
    run: async (send) => {
      const id = await uploadedId(send);
      mustBeSuccess(await remove(send, `/v1/task/${id}?delete-scope=only-files`));
      mustBe(jsonOf<TaskAnswer>(await get(send, `/v1/task/${id}`)).status, 'deleted', 'status');
      for (const download of ['anonymised', 'binary-mask', 'instance-mask', 'metadata']) {
        mustRefuse(await get(send, `/v1/file/${id}/${download}`), 422, 'deleted');
      }
    },
  },
  {
    rule: 'an unknown delete-scope is refused',
    run: async (send) => {
      const id = await uploadedId(send);
      mustRefuse(await remove(send, `/v1/task/${id}?delete-scope=everything`), 422, 'delete-scope');
      mustHaveStatus(await get(send, `/v1/task/${id}`), 200);
    },
  },
  {
    rule: 'a task that runs or waits is stopped by its deletion',
    run: async (send) => {
      const ids = await keepBusy(send, 4);
      for (const id of ids.slice(0, 3)) mustBeSuccess(await remove(send, `/v1/task/${id}`));
      for (const id of ids.slice(0, 3)) mustRefuse(await get(send, `/v1/task/${id}`), 404);
      await waitForAll(send, ids.slice(3));
    },
  },
  {
    rule: 'all tasks are deleted only when that is confirmed',
    run: async (send) => {
      const id = await uploadedId(send);
      mustRefuse(await remove(send, '/v1/task/list'), 422, 'confirm');
      mustRefuse(await remove(send, '/v1/task/list?confirm=False'), 422, 'confirm');
      mustHaveStatus(await get(send, `/v1/task/${id}`), 200);
      mustBeSuccess(await remove(send, '/v1/task/list?confirm=True&delete_scope=only-files'));
      const kept = jsonOf<TaskAnswer[]>(await get(send, '/v1/task/list'));
      must(kept.length > 0 && kept.every(({ status }) => status === 'deleted'), 'records kept', kept);
      mustBeSuccess(await remove(send, '/v1/task/list?confirm=true'));
      mustBe(jsonOf<TaskAnswer[]>(await get(send, '/v1/task/list')), [], 'the list');
    },
  },
];

/** An image that a host processes for far longer than a client needs for another upload. */
const LONG_WORK = filePart(blackPng(1920, 1080), 'work.png', 'image/png');
const MAX_POLLS = 10_000;

/**
 * Polls without a pause, because some hosts finish within milliseconds.
 *
 * @returns false if the work was over before it was seen
 */
const waitForWork = async (send: Send, isOver: () => boolean): Promise<boolean> => {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const tasks = jsonOf<TaskAnswer[]>(await get(send, '/v1/task/list'));
    if (tasks.some(({ status }) => status === 'processing')) return true;
    if (isOver()) return false;
  }
  throw new Error('No task starts.');
};

/**
 * Uploads synchronously and, while that is processed, asynchronously.
 *
 * The synchronous answer may come first by chance, but not in each attempt.
 */
const uploadBesideSynchronous = async (send: Send, attempt = 1): Promise<void> => {
  let isAnswered = false;
  const synchronous = upload(send, { parts: [LONG_WORK] }).finally(() => (isAnswered = true));
  const isSeen = await waitForWork(send, () => isAnswered);
  const id = await uploadedId(send, { isAsync: true });
  const isBeside = isSeen && !isAnswered;
  mustHaveStatus(await synchronous, 200);
  await waitForAll(send, [id]);
  if (isBeside) return;
  if (attempt === MAX_ATTEMPTS) {
    throw new Error('Each synchronous upload is answered before the asynchronous.');
  }
  await uploadBesideSynchronous(send, attempt + 1);
};

const QUEUE: readonly ConformanceCase[] = [
  {
    rule: 'asynchronous uploads are accepted while others are processed, and all get done',
    run: async (send) => waitForAll(send, await keepBusy(send, 4)),
  },
  {
    rule: 'a synchronous upload while another file is processed is 409 with Retry-After',
    run: async (send) => {
      const { answers: answer } = await askWhileBusy(send, () => upload(send));
      mustRefuse(answer, 409, 'x-is-async');
      must(/^\d+$/.test(answer.headers['retry-after'] ?? ''), 'Retry-After in seconds', answer.headers);
      mustHaveStatus(await upload(send), 200);
    },
  },
  {
    rule: 'a synchronous upload that is processed does not delay asynchronous ones',
    run: (send) => uploadBesideSynchronous(send),
  },
  {
    rule: 'with --sync-when-busy queue a synchronous upload waits for its turn',
    host: OTHER_HOST,
    run: async (send) => {
      const ids = await keepBusy(send);
      mustHaveStatus(await upload(send), 200);
      await waitForAll(send, ids);
    },
  },
  {
    rule: 'with --hold latest a new upload deletes the previous image',
    host: { hold: 'latest' },
    run: async (send) => {
      const before = await uploadedId(send);
      const latest = await uploadedId(send);
      mustBe(await waitForTask(send, before), 'deleted', 'the status of the previous image');
      mustRefuse(await get(send, `/v1/file/${before}/anonymised`), 422, 'deleted');
      mustHaveStatus(await get(send, `/v1/file/${latest}/anonymised`), 200);
    },
  },
];

/** Tasks and the queue. */
export const TASK_CASES: readonly ConformanceCase[] = [...RECORDS, ...DELETIONS, ...QUEUE];
