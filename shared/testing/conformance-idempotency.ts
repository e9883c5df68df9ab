import { jsonOf, must, mustBe, mustHaveStatus, mustRefuse, type ConformanceCase } from './conformance';
import {
  filePart,
  get,
  keepBusy,
  remove,
  upload,
  uploadedId,
  waitForAll,
  waitForTask,
} from './conformance-steps';
import { jpegFile } from './image-bytes';
import { RAMP_JPEG, RAMP_PNG } from './ramp-images';

let keys = 0;
/** A key that is unique on this host, on which other cases may have run. */
export const newKey = (): string => `conformance ${(keys += 1)}`;

/** `Idempotency-Key` on `POST /v1/file`. */
export const IDEMPOTENCY_CASES: readonly ConformanceCase[] = [
  {
    rule: 'an upload that is repeated with its Idempotency-Key is answered as the first one, and no task is added',
    run: async (send) => {
      const idempotencyKey = newKey();
      const query = 'face=true&method=pixelate';
      const first = jsonOf<{ id: string }>(await upload(send, { query, idempotencyKey }));
      const tasks = jsonOf<unknown[]>(await get(send, '/v1/task/list')).length;
      mustBe(jsonOf(await upload(send, { query, idempotencyKey })), first, 'the second answer');
      const again = { query: 'method=pixelate&face=1&bbox=False', idempotencyKey, isAsync: true };
      mustBe(
        jsonOf(await upload(send, again)),
        first,
        'the answer to the same request with another spelling',
      );
      mustBe(jsonOf<unknown[]>(await get(send, '/v1/task/list')).length, tasks, 'the number of tasks');
    },
  },
  {
    rule: 'an Idempotency-Key with other parameters, another file or another file name is refused',
    run: async (send) => {
      const idempotencyKey = newKey();
      await uploadedId(send, { idempotencyKey });
      for (const changes of [
        { query: 'method=blacken' },
        { parts: [filePart(RAMP_PNG)] },
        { parts: [filePart(RAMP_JPEG, 'another.jpg')] },
      ]) {
        mustRefuse(await upload(send, { idempotencyKey, ...changes }), 422, 'Idempotency-Key');
      }
      await uploadedId(send, { idempotencyKey: newKey(), query: 'method=blacken' });
    },
  },
  {
    rule: 'simultaneous uploads with one Idempotency-Key are one task, and none of them is refused as busy',
    run: async (send) => {
      const idempotencyKey = newKey();
      const answers = await Promise.all(
        [true, false, true, false].map((isAsync) => upload(send, { idempotencyKey, isAsync })),
      );
      const ids = new Set(answers.map((answer) => jsonOf<{ id: string }>(answer).id));
      mustBe(ids.size, 1, 'the number of tasks');
    },
  },
  {
    rule: 'a repeated synchronous upload waits for the first one and gets the same answer',
    run: async (send) => {
      const before = await keepBusy(send, 1);
      const idempotencyKey = newKey();
      const parts = [filePart(jpegFile(64, 48))];
      const id = await uploadedId(send, { idempotencyKey, parts, isAsync: true });
      const answer = await upload(send, { idempotencyKey, parts });
      mustRefuse(answer, 422, /damaged|decoded/);
      mustBe(await waitForTask(send, id), 'failed', 'the status');
      const repeated = await upload(send, { idempotencyKey, parts });
      mustRefuse(repeated, answer.status);
      mustBe(repeated.body, answer.body, 'the answer after its end');
      await waitForAll(send, before);
    },
  },
  ...['', '?delete-scope=only-files'].map((scope): ConformanceCase => ({
    rule: `an Idempotency-Key ends with its task: DELETE /v1/task/{id}${scope}`,
    run: async (send) => {
      const idempotencyKey = newKey();
      const id = await uploadedId(send, { idempotencyKey });
      mustHaveStatus(await remove(send, `/v1/task/${id}${scope}`), 200);
      const next = await uploadedId(send, { idempotencyKey, query: 'method=blacken' });
      must(next !== id, 'a new task', next);
    },
  })),
  // A browser gives the page an empty value for bytes that are not UTF-8, so the sentence cannot contain them there.
  ...[
    ['in Latin-1', 'schl\u00fcssel', 'Idempotency-Key'],
    ['in UTF-8', 'schl\u00c3\u00bcssel', 'schlüssel'],
    ['a no-break space', '\u00a0', 'Idempotency-Key'],
    ['a no-break space in UTF-8', '\u00c2\u00a0', '\u00a0'],
    ['a no-break space at its end', 'once\u00a0', 'Idempotency-Key'],
  ].map(([how, sent = '', mention = '']): ConformanceCase => ({
    rule: `an Idempotency-Key with characters beyond ASCII is refused, never dropped: ${how}`,
    run: async (send) => mustRefuse(await upload(send, { idempotencyKey: sent }), 422, mention),
  })),
  {
    rule: 'a refused upload does not use up its Idempotency-Key',
    run: async (send) => {
      const idempotencyKey = newKey();
      mustRefuse(await upload(send, { idempotencyKey, parts: [filePart(new Uint8Array(9))] }), 422);
      await uploadedId(send, { idempotencyKey });
    },
  },
  {
    rule: 'an Idempotency-Key of up to 255 characters is accepted, and a longer or an empty one is refused',
    run: async (send) => {
      const longest = newKey().padEnd(255, '~');
      mustBe(
        await uploadedId(send, { idempotencyKey: longest }),
        await uploadedId(send, { idempotencyKey: longest }),
        'the id',
      );
      mustRefuse(await upload(send, { idempotencyKey: `${longest}~` }), 422, 'Idempotency-Key');
      mustRefuse(await upload(send, { idempotencyKey: '' }), 422, 'Idempotency-Key');
    },
  },
];
