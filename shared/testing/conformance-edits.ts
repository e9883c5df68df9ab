import {
  jsonOf,
  must,
  mustBe,
  mustHaveStatus,
  mustHaveType,
  mustRefuse,
  type Answer,
  type ConformanceCase,
  type Send,
} from './conformance';
import {
  askWhileBusy,
  get,
  putJson,
  putText,
  remove,
  upload,
  UNKNOWN_ID,
  uploadedId,
} from './conformance-steps';
import { RAMP_SIZE } from './ramp-images';

/** What conformance cases of edits do again and again. */

export const editsPath = (id: string): string => `/v1/task/${id}/edits`;

export const putEdits = (
  send: Send,
  id: string,
  edits: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> => putJson(send, editsPath(id), edits, headers);

interface Found {
  readonly id: number;
  readonly score: number;
  readonly type_label: string;
}
interface Candidates {
  readonly lowest_score: number;
  readonly candidates: readonly Found[];
}

const candidatesOf = async (send: Send, id: string): Promise<Candidates> =>
  jsonOf<Candidates>(await get(send, `/v1/task/${id}/candidates`));

const detectionsOf = async (send: Send, id: string): Promise<readonly Found[]> =>
  jsonOf<{ detections: readonly Found[] }>(await get(send, `/v1/file/${id}/metadata`)).detections;

const hiddenOf = (detections: readonly Found[]): string => JSON.stringify(detections);

const image = async (send: Send, id: string): Promise<readonly number[]> => [
  ...(await get(send, `/v1/file/${id}/anonymised`)).body,
];

const [WIDTH, HEIGHT] = RAMP_SIZE;
const AREA = { type_label: 'face', shape: 'box', bbox: [1, 1, 9, 9] } as const;

/** Each wrong in one way, with a part of the sentence that answers it. */
const WRONG: readonly (readonly [body: string, sentence: string])[] = [
  ['', 'JSON object'],
  ['[]', 'JSON object'],
  ['null', 'JSON object'],
  ['{"objects":', 'JSON object'],
  ['{"colour":1}', '"colour"'],
  ['{"method":"smudge"}', '`method`'],
  ['{"method":null}', '`method`'],
  ['{"methods":{"face":"detect"}}', '`methods.face`'],
  ['{"methods":{"cat":"blur"}}', '"cat"'],
  ['{"classes":[]}', '`classes`'],
  ['{"classes":["cat"]}', '`classes[0]`'],
  ['{"classes":["face","face"]}', '`classes`'],
  ['{"thresholds":{"face":1.5}}', '`thresholds.face`'],
  ['{"thresholds":{"face":"0.5"}}', '`thresholds.face`'],
  ['{"thresholds":{"face":NaN}}', 'JSON object'],
  ['{"objects":{}}', '`objects`'],
  ['{"objects":[{}]}', '`objects[0].id`'],
  ['{"objects":[{"id":-1}]}', '`objects[0].id`'],
  ['{"objects":[{"id":0.5}]}', '`objects[0].id`'],
  ['{"objects":[{"id":1e6}]}', '`objects[0].id`'],
  ['{"objects":[{"id":0},{"id":0}]}', '`objects[1].id`'],
  ['{"objects":[{"id":0,"hidden":"no"}]}', '`objects[0].hidden`'],
  ['{"objects":[{"id":0,"bbox":[1,2,3]}]}', '`objects[0].bbox`'],
  ['{"objects":[{"id":0,"bbox":[9,9,1,1]}]}', '`objects[0].bbox`'],
  [`{"objects":[{"id":0,"bbox":[${WIDTH},0,${WIDTH + 9},9]}]}`, '`objects[0].bbox`'],
  ['{"objects":[{"id":0,"from":1}]}', '`objects[0].from`'],
  ['{"objects":[{"id":0,"hiden":false}]}', '"hiden"'],
  ['{"areas":[{"type_label":"face"}]}', '`areas[0].shape`'],
  ['{"areas":[{"type_label":"cat","shape":"box","bbox":[1,1,2,2]}]}', '`areas[0].type_label`'],
  ['{"areas":[{"type_label":"face","shape":"star"}]}', '`areas[0].shape`'],
  ['{"areas":[{"type_label":"face","shape":"box"}]}', '`areas[0].bbox`'],
  ['{"areas":[{"type_label":"face","shape":"box","bbox":[1,1,2,2],"radius":1}]}', '`areas[0].radius`'],
  ['{"areas":[{"type_label":"face","shape":"stroke","points":[[1,1]]}]}', '`areas[0].radius`'],
  ['{"areas":[{"type_label":"face","shape":"stroke","points":[],"radius":1}]}', '`areas[0].points`'],
  ['{"areas":[{"type_label":"face","shape":"stroke","points":[[1]],"radius":1}]}', '`areas[0].points[0]`'],
  [
    `{"areas":[{"type_label":"face","shape":"ellipse","bbox":[0,${HEIGHT},9,${HEIGHT + 9}]}]}`,
    '`areas[0].bbox`',
  ],
  ['{"ignores":[{"topLeftX":0}]}', '`ignores[0].topLeftY`'],
  ['{"hides":[{"topLeftX":0}]}', '`hides[0]` must be an area with either'],
  ['{"hides":[{"points":[[0,0],[9,9],[9,0],[0,9]]}]}', '`hides[0]` must be a polygon'],
  [
    `{"hides":[{"topLeftX":${WIDTH},"topLeftY":0,"width":9,"height":9}]}`,
    '`hides[0]` lies outside the image',
  ],
  ['{"hides":[{"topLeftX":0,"topLeftY":0,"width":9,"height":9,"reason":"b6"}]}', '`hides[0].reason`'],
  [`{"hides":[${Array(1_001).fill('{}').join()}]}`, '`hides` must be a list of at most 1000 areas'],
  ['{"keep_metadata":"yes"}', '`keep_metadata`'],
  ['{"reviewer":7}', '`reviewer`'],
  ['{"reviewer":""}', '`reviewer`'],
  ['{"reviewer":"a\\u0000b"}', '`reviewer`'],
  ['{"reviewer":"a\\u202eb"}', '`reviewer`'],
  ['{"reviewer":"a\\ud800"}', '`reviewer`'],
  [`{"reviewer":"${'a'.repeat(201)}"}`, '`reviewer`'],
  ['{"mute":[[0,1]]}', '`mute` is available only for videos'],
  ['{"audio":"mute"}', '`audio` is available only for videos'],
  ['{"mute":[[0,1e999]]}', '`mute[0][1]`'],
  [`{"areas":[${Array(10_000).fill('{}').join()}]}`, '`areas`'],
  [
    `{"areas":[{"type_label":"face","shape":"stroke","radius":1,"points":[${Array(1_000_000).fill('[1,1]').join()}]}]}`,
    '`areas[0].points`',
  ],
  [
    `{"areas":[${Array(5_000)
      .fill(
        `{"type_label":"face","shape":"stroke","radius":9999,"points":[${Array(30).fill('[1,1],[9,9]').join()}]}`,
      )
      .join()}]}`,
    'too many pixels',
  ],
];

const READING: readonly ConformanceCase[] = [
  {
    rule: 'the edits of a result are empty lists at first, and have an ETag',
    run: async (send) => {
      const answer = await get(send, editsPath(await uploadedId(send)));
      mustHaveStatus(answer, 200);
      mustHaveType(answer, 'application/json');
      mustBe(jsonOf(answer), { objects: [], areas: [] }, 'the edits');
      must(/^"[0-9a-f]+"$/.test(answer.headers['etag'] ?? ''), 'an ETag', answer.headers);
    },
  },
  {
    rule: 'candidates contain each reported object with its id, and no score below the lowest one',
    run: async (send) => {
      const id = await uploadedId(send);
      const { candidates, lowest_score: lowest } = await candidatesOf(send, id);
      for (const { id: objectId, score, type_label: label } of await detectionsOf(send, id)) {
        const own = candidates.find((one) => one.id === objectId);
        mustBe([own?.score, own?.type_label], [score, label], 'score and label');
      }
      must(
        candidates.every(({ score }) => score >= lowest),
        `no score below ${lowest}`,
        candidates,
      );
    },
  },
  {
    rule: 'edits and candidates of a task that is unknown, not done or deleted are refused with its state',
    run: async (send) => {
      for (const path of ['edits', 'candidates', 'events']) {
        mustRefuse(await get(send, `/v1/task/${UNKNOWN_ID}/${path}`), 404, 'no task');
      }
      mustRefuse(await putEdits(send, UNKNOWN_ID, {}), 404, 'no task');
      mustRefuse(await remove(send, editsPath(UNKNOWN_ID)), 404, 'no task');
      const { answers, id } = await askWhileBusy(send, (task) =>
        Promise.all([get(send, editsPath(task)), putEdits(send, task, {}), remove(send, editsPath(task))]),
      );
      for (const answer of answers) mustRefuse(answer, 422, 'not done');
      await remove(send, `/v1/task/${id}?delete-scope=only-files`);
      mustRefuse(await putEdits(send, id, {}), 422, 'deleted');
      mustRefuse(await remove(send, editsPath(id)), 422, 'deleted');
      mustRefuse(await get(send, `/v1/task/${id}/candidates`), 422, 'deleted');
    },
  },
];

const WRITING: readonly ConformanceCase[] = [
  {
    rule: 'edits answer with the links of the upload, and the result without an object that they show',
    run: async (send) => {
      const uploaded = await upload(send);
      const { id } = jsonOf<{ id: string }>(uploaded);
      const [first, ...others] = await detectionsOf(send, id);
      must(first !== undefined, 'an object', first);
      const edits = { objects: [{ id: first.id, hidden: false }] };
      const answer = await putEdits(send, id, edits);
      mustHaveStatus(answer, 200);
      mustBe(jsonOf(answer), jsonOf(uploaded), 'the answer');
      const left = await detectionsOf(send, id);
      mustBe(left.length, others.length, 'the number of objects');
      mustBe(jsonOf(await get(send, editsPath(id))), { objects: edits.objects, areas: [] }, 'the edits');
    },
  },
  {
    rule: 'empty edits give the first result again, byte for byte',
    run: async (send) => {
      const id = await uploadedId(send, { query: 'bbox=true' });
      const [before, found] = [await image(send, id), await detectionsOf(send, id)];
      mustHaveStatus(await putEdits(send, id, { method: 'blacken', areas: [AREA] }), 200);
      mustHaveStatus(await putEdits(send, id, {}), 200);
      mustBe(await image(send, id), before, 'the image');
      mustBe(hiddenOf(await detectionsOf(send, id)), hiddenOf(found), 'the objects');
    },
  },
  {
    rule: 'an area that a person drew is reported, and the tag of the image changes with the image',
    run: async (send) => {
      const id = await uploadedId(send);
      const found = await detectionsOf(send, id);
      for (const area of [
        AREA,
        { ...AREA, shape: 'ellipse', method: 'pixelate' },
        { type_label: 'person', shape: 'stroke', points: [[2, 2], [8, 8]], radius: 3 }, // oxfmt-ignore
      ]) {
        mustHaveStatus(await putEdits(send, id, { areas: [area] }), 200);
        const [last] = (await detectionsOf(send, id)).slice(found.length);
        mustBe([last?.type_label, last?.score], [area.type_label, 1], 'label and score of the area');
        mustHaveStatus(await get(send, `/v1/file/${id}/binary-mask`), 200);
      }
      mustHaveStatus(await putEdits(send, id, { areas: [{ ...AREA, hidden: false }] }), 200);
      mustBe((await detectionsOf(send, id)).length, found.length, 'the number of objects');
    },
  },
  {
    rule: 'areas that edits always hide take the place of those of the upload, and an empty list removes them',
    run: async (send) => {
      const corner = { topLeftX: 1, topLeftY: 1, width: 8, height: 8 };
      const id = await uploadedId(send, { query: `hides=${encodeURIComponent(JSON.stringify([corner]))}` });
      const [first, found] = [await image(send, id), await detectionsOf(send, id)];
      const ofAreas = async (): Promise<number> =>
        (await detectionsOf(send, id)).filter(({ type_label: name }) => name === 'area').length;
      const polygon = { points: [[0, 0], [9, 0], [0, 9]], method: 'blacken' }; // oxfmt-ignore
      for (const [hides, count] of [
        [[corner, polygon], 2],
        [[polygon], 1],
        [[], 0],
      ] as const) {
        // oxfmt-ignore
        mustHaveStatus(await putEdits(send, id, { hides }), 200);
        mustBe(await ofAreas(), count, 'the number of areas');
        const { warnings } = jsonOf<{ warnings: readonly string[] }>(
          await get(send, `/v1/file/${id}/report`),
        );
        const sentence = `Number of areas that are anonymised always: ${count}.`;
        mustBe(warnings.includes(sentence), count > 0, 'a sentence about areas');
      }
      mustHaveStatus(await putEdits(send, id, {}), 200);
      mustBe(await image(send, id), first, 'the image');
      mustBe(hiddenOf(await detectionsOf(send, id)), hiddenOf(found), 'the objects');
    },
  },
  {
    rule: 'edits of a method=detect upload can anonymise it',
    run: async (send) => {
      const id = await uploadedId(send, { query: 'method=detect' });
      mustRefuse(await get(send, `/v1/file/${id}/anonymised`), 422, 'method=detect');
      mustHaveStatus(await putEdits(send, id, { method: 'blur' }), 200);
      mustHaveStatus(await get(send, `/v1/file/${id}/anonymised`), 200);
    },
  },
  {
    rule: 'edits with x-is-async are answered at once, and events tell their end while the task stays done',
    run: async (send) => {
      const id = await uploadedId(send);
      mustHaveStatus(await putEdits(send, id, { areas: [AREA] }, { 'x-is-async': 'true' }), 200);
      const answer = await get(send, `/v1/task/${id}/events`);
      mustHaveStatus(answer, 200);
      mustHaveType(answer, 'text/event-stream');
      const records = new TextDecoder()
        .decode(answer.body)
        .split('\n\n')
        .filter(Boolean)
        .map((message) => JSON.parse(message.replace(/^data: /, '')) as { status: string; edit?: object });
      must(records.length > 0 && records.every(({ status }) => status === 'done'), 'done records', records);
      mustBe(records.at(-1)?.edit, undefined, 'the edit of the last record');
      mustBe((await detectionsOf(send, id)).at(-1)?.score, 1, 'the score of the area');
    },
  },
  {
    rule: 'edits with another ETag in If-Match are refused and change nothing',
    run: async (send) => {
      const id = await uploadedId(send);
      const { etag = '' } = (await get(send, editsPath(id))).headers;
      mustHaveStatus(await putEdits(send, id, { areas: [AREA] }, { 'if-match': etag }), 200);
      const after = await get(send, editsPath(id));
      mustRefuse(await putEdits(send, id, {}, { 'if-match': etag }), 412, 'changed in the meantime');
      mustBe(jsonOf(await get(send, editsPath(id))), jsonOf(after), 'the edits');
      mustHaveStatus(await putEdits(send, id, {}, { 'if-match': '*' }), 200);
    },
  },
  {
    rule: 'edits that are wrong in any way are refused with one sentence about the first error, and change nothing',
    run: async (send) => {
      const id = await uploadedId(send);
      const before = await image(send, id);
      for (const [body, sentence] of WRONG) {
        mustRefuse(await putText(send, editsPath(id), body), 422, sentence);
      }
      mustBe(await image(send, id), before, 'the image');
      mustBe(jsonOf(await get(send, editsPath(id))), { objects: [], areas: [] }, 'the edits');
    },
  },
];

export const EDIT_CASES: readonly ConformanceCase[] = [...READING, ...WRITING];
