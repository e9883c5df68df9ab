import {
  jsonOf,
  must,
  mustBe,
  mustHaveStatus,
  mustRefuse,
  type ConformanceCase,
  type Send,
} from './conformance';
import { editsPath, putEdits } from './conformance-edits';
import { filePart, get, uploadedId } from './conformance-steps';
import { RAMP_MP4, RAMP_VIDEO } from './video-files';

const uploadedVideo = (send: Send, query = 'face=true'): Promise<string> =>
  uploadedId(send, { parts: [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')], query });

interface Detection {
  readonly track_id: number;
  readonly is_anonymised: boolean;
}
const detectionsOf = async (send: Send, id: string): Promise<readonly Detection[]> =>
  jsonOf<{ detections: Detection[] }[]>(await get(send, `/v1/file/${id}/video/metadata`)).flatMap(
    ({ detections }) => detections,
  );
const areHidden = async (send: Send, id: string, track: number): Promise<boolean> =>
  (await detectionsOf(send, id))
    .filter(({ track_id }) => track_id === track)
    .every(({ is_anonymised }) => is_anonymised);

const LAST_FRAME = RAMP_VIDEO.frames - 1;
const AREA = { type_label: 'face', shape: 'box', bbox: [4, 4, 20, 20], frame: 1 } as const;

const STROKE = {
  type_label: 'person',
  shape: 'stroke',
  points: [
    [6, 6],
    [30, 20],
  ],
  radius: 4,
  frame: 0,
} as const;

const SCREEN = { topLeftX: 2, topLeftY: 2, width: 9, height: 9 } as const;

const WRONG: readonly (readonly [edits: object, sentence: string])[] = [
  [{ objects: [{ id: 999_999, hidden: false }] }, '`objects[0].id`'],
  [{ objects: [{ id: 0, bbox: [1, 1, 9, 9] }] }, '`objects[0].bbox`'],
  [{ objects: [{ id: 0, type_label: 'person' }] }, '`objects[0].type_label`'],
  [{ objects: [{ id: 0, from: LAST_FRAME + 1 }] }, '`objects[0].from`'],
  [{ objects: [{ id: 0, from: 2, to: 1 }] }, '`objects[0].to`'],
  [{ areas: [{ ...AREA, frame: undefined }] }, '`areas[0].frame`'],
  [{ areas: [{ ...AREA, frame: LAST_FRAME + 1 }] }, '`areas[0].frame`'],
  [{ areas: [{ ...AREA, bbox: [9_000, 4, 9_009, 20] }] }, '`areas[0].bbox`'],
  [{ areas: [{ ...AREA, radius: 3 }] }, '`areas[0].radius`'],
  [{ areas: [{ ...STROKE, points: undefined }] }, '`areas[0].points`'],
  [{ areas: [{ ...STROKE, bbox: AREA.bbox }] }, '`areas[0].bbox`'],
  [{ areas: [{ ...STROKE, points: Array.from({ length: 9_000 }, () => [9, 9]), radius: 500 }] }, 'strokes'],
  [{ areas: [{ ...AREA, method: 'detect' }] }, '`areas[0].method`'],
  [{ method: 'detect' }, '`method`'],
  [{ thresholds: { face: 0.1 } }, '`thresholds.face`'],
  [{ classes: ['person'] }, '`classes`'],
  [{ ignores: [] }, '`ignores`'],
  [{ hides: [{ ...SCREEN, start: 2, end: 1 }] }, '`hides[0]` must be an area whose `start`'],
  [{ hides: [{ ...SCREEN, topLeftX: 9_000 }] }, '`hides[0]` lies outside the image'],
  [{ audio: 'keep' }, '`audio`'],
  [{ mute: true }, '`mute`'],
  [{ mute: [0, 1] }, '`mute[0]`'],
  [{ mute: [[0, 1], [1]] }, '`mute[1]`'],
  [{ mute: [[0, 1, 2]] }, '`mute[0]`'],
  [{ mute: [[0, '1']] }, '`mute[0][1]`'],
  [{ mute: [[-0.5, 1]] }, '`mute[0][0]`'],
  [{ mute: [[0, null]] }, '`mute[0][1]`'],
  [{ mute: [[0, 2e9]] }, '`mute[0][1]`'],
  [{ mute: [[0, 1], [2, 2]] }, '`mute[1]` must be a start before its end'], // oxfmt-ignore
  [{ mute: [[3, 2]] }, '`mute[0]` must be a start before its end'],
  [{ mute: [{ start: 3, end: 2, as: 'bleep' }] }, '`mute[0]` must be a start before its end'],
  [{ mute: [{ start: 3 }] }, '`mute[0].end`'],
  [{ mute: [{ start: 3, end: '4' }] }, '`mute[0].end`'],
  [{ mute: [{ start: 3, end: 4, as: 'voice' }] }, '`mute[0].as` must be one of silence, bleep'],
  [{ mute: [{ start: 3, end: 4, volume: 1 }] }, '`mute[0]."volume"` is not a known field'],
  [{ mute: [{ start: 3, end: 4, reason: 'b9' }] }, '`mute[0].reason` must be absent without `reasons`'],
  [
    { mute: [[5, 6], [0, 9], { start: 8, end: 9, as: 'bleep' }] }, // oxfmt-ignore
    '`mute[2]` must not overlap `mute[1]`',
  ],
  [
    { mute: Array.from({ length: 1_001 }, (_, i) => [2 * i, 2 * i + 1]) },
    '`mute` must be a list of at most 1000',
  ],
];

export const VIDEO_EDIT_CASES: readonly ConformanceCase[] = [
  {
    rule: 'a track of a video that edits show is not anonymised, and is anonymised again after empty edits',
    run: async (send) => {
      const id = await uploadedVideo(send);
      const track = (await detectionsOf(send, id))[0]?.track_id ?? 0;
      must(await areHidden(send, id, track), 'an anonymised track', track);
      mustHaveStatus(await putEdits(send, id, { objects: [{ id: track, hidden: false }] }), 200);
      must(!(await areHidden(send, id, track)), 'a visible track', track);
      mustHaveStatus(await get(send, `/v1/file/${id}/video/anonymised`), 200);
      mustHaveStatus(await putEdits(send, id, {}), 200);
      must(await areHidden(send, id, track), 'an anonymised track', track);
    },
  },
  {
    rule: 'an area of a video is followed from the frame on which it was drawn',
    run: async (send) => {
      const id = await uploadedVideo(send);
      mustHaveStatus(await putEdits(send, id, { method: 'blacken', areas: [AREA] }), 200);
      const edits = jsonOf<{ areas: object[]; followed: { area: number }[] }>(await get(send, editsPath(id)));
      mustBe(edits.areas, [AREA], 'the areas');
      mustBe(
        edits.followed.map(({ area }) => area),
        [0],
        'the areas that were followed',
      );
    },
  },
  {
    rule: 'edits of a video keep areas that are always hidden as they were sent, with times, methods and reasons',
    run: async (send) => {
      const id = await uploadedVideo(send);
      const reasons = [{ code: 'b7', label: 'Law enforcement' }];
      const hides = [
        { ...SCREEN, start: 0, end: 0.5 },
        { ...SCREEN, topLeftX: 20, reason: 'b7', method: 'blacken' },
      ];
      mustHaveStatus(await putEdits(send, id, { hides, reasons }), 200);
      const { hides: stored } = jsonOf<{ hides: object[] }>(await get(send, editsPath(id)));
      mustBe(stored, hides, 'the areas');
      mustHaveStatus(await putEdits(send, id, {}), 200);
    },
  },
  {
    rule: 'areas of a video may be ellipses and strokes, each with its own method',
    run: async (send) => {
      const id = await uploadedVideo(send);
      const areas = [{ ...AREA, shape: 'ellipse', method: 'pixelate' }, STROKE];
      mustHaveStatus(await putEdits(send, id, { areas }), 200);
      const edits = jsonOf<{ areas: object[]; followed: { area: number }[] }>(await get(send, editsPath(id)));
      mustBe(edits.areas, areas, 'the areas');
      mustBe(
        edits.followed.map(({ area }) => area),
        [0, 1],
        'the areas that were followed',
      );
    },
  },
  {
    rule: 'a track of a video with its own method is anonymised even if edits leave out its class',
    run: async (send) => {
      const id = await uploadedVideo(send);
      const track = (await detectionsOf(send, id))[0]?.track_id ?? 0;
      const thresholds = { face: 1 };
      mustHaveStatus(await putEdits(send, id, { thresholds }), 200);
      must(!(await areHidden(send, id, track)), 'a visible track', track);
      for (const range of [{}, { from: 0, to: 1 }]) {
        const objects = [{ id: track, method: 'blacken', ...range }];
        mustHaveStatus(await putEdits(send, id, { thresholds, objects }), 200);
        must(await areHidden(send, id, track), 'an anonymised track', track);
      }
    },
  },
  {
    rule: 'a class that edits of a video leave out is not anonymised',
    run: async (send) => {
      const id = await uploadedVideo(send, 'face=true&face-method=pixelate');
      mustHaveStatus(
        await putEdits(send, id, { thresholds: { face: 1 }, methods: { face: 'blacken' } }),
        200,
      );
      const detections = await detectionsOf(send, id);
      must(
        detections.every(({ is_anonymised }) => !is_anonymised),
        'no anonymised face',
        detections,
      );
    },
  },
  {
    rule: 'edits of a video that are wrong in any way are refused with one sentence, and change nothing',
    run: async (send) => {
      const id = await uploadedVideo(send);
      for (const [edits, sentence] of WRONG) mustRefuse(await putEdits(send, id, edits), 422, sentence);
      mustBe(jsonOf(await get(send, editsPath(id))), { objects: [], areas: [], followed: [] }, 'the edits');
    },
  },
  {
    rule: 'muted parts of a video are returned sorted and joined, and empty edits remove them',
    run: async (send) => {
      const id = await uploadedVideo(send);
      const mute = [
        [12.5, 14],
        [0, 0.25],
        [13, 20],
        [0.25, 0.5],
      ];
      mustHaveStatus(await putEdits(send, id, { mute }), 200);
      mustHaveStatus(await get(send, `/v1/file/${id}/video/anonymised`), 200);
      const joined = [
        [0, 0.5],
        [12.5, 20],
      ];
      const answer = await get(send, editsPath(id));
      mustBe(jsonOf<{ mute?: unknown }>(answer).mute, joined, 'the muted parts');
      mustHaveStatus(await putEdits(send, id, { mute: joined }), 200);
      const repeated = await get(send, editsPath(id));
      mustBe(repeated.headers['etag'], answer.headers['etag'], 'the ETag of the same edits');
      mustHaveStatus(await putEdits(send, id, { mute: [] }), 200);
      mustBe(jsonOf(await get(send, editsPath(id))), { objects: [], areas: [], followed: [] }, 'the edits');
    },
  },
  {
    rule: 'muted parts keep their bleeps and reasons, which the report and the log name',
    run: async (send) => {
      const id = await uploadedVideo(send);
      const reasons = [{ code: 'b6', label: 'Personal privacy' }];
      const mute = [[0, 1], { as: 'bleep', end: 2, reason: 'b6', start: 1 }]; // as canonical JSON; oxfmt-ignore
      mustHaveStatus(await putEdits(send, id, { reasons, mute }), 200);
      mustHaveStatus(await get(send, `/v1/file/${id}/video/anonymised`), 200);
      const edits = jsonOf<{ mute?: unknown }>(await get(send, editsPath(id)));
      mustBe(edits.mute, mute, 'the muted parts');
      const report = jsonOf<{ audio: { muted_ranges: unknown } }>(await get(send, `/v1/file/${id}/report`));
      mustBe(report.audio.muted_ranges, mute, 'those of the report');
      const log = jsonOf<{ redactions: { type_label: string; method: string; reason: string | null }[] }>(
        await get(send, `/v1/file/${id}/redactions`),
      );
      mustBe(
        log.redactions
          .filter(({ type_label: name }) => name === 'audio')
          .map(({ method, reason }) => [method, reason]),
        [['mute', null], ['bleep', 'b6']], // oxfmt-ignore
        'the rows of the log',
      );
    },
  },
  {
    rule: 'edits remove the audio of a video, together with its muted parts, and empty edits restore it',
    run: async (send) => {
      const id = await uploadedVideo(send);
      const edits = { audio: 'mute', mute: [[0, 1]] };
      mustHaveStatus(await putEdits(send, id, edits), 200);
      mustHaveStatus(await get(send, `/v1/file/${id}/video/anonymised`), 200);
      mustBe(
        jsonOf(await get(send, editsPath(id))),
        { audio: 'mute', objects: [], areas: [], mute: [[0, 1]], followed: [] },
        'the edits',
      );
      mustHaveStatus(await putEdits(send, id, {}), 200);
      mustBe(jsonOf(await get(send, editsPath(id))), { objects: [], areas: [], followed: [] }, 'the edits');
    },
  },
  {
    rule: 'candidates of a video are refused',
    run: async (send) => {
      mustRefuse(await get(send, `/v1/task/${await uploadedVideo(send)}/candidates`), 422, 'only for images');
    },
  },
  {
    rule: 'a video/metadata request with timestamps has the time of each frame',
    run: async (send) => {
      const id = await uploadedVideo(send);
      const frames = jsonOf<{ timestamp?: number }[]>(
        await get(send, `/v1/file/${id}/video/metadata?timestamps=true`),
      );
      const times = frames.map(({ timestamp = NaN }) => timestamp);
      must(
        times.every((time, i) => (i === 0 ? time >= 0 : time > times[i - 1]!)),
        'rising times',
        times,
      );
    },
  },
  {
    rule: 'audio=mute is noted in the record of a video',
    run: async (send) => {
      const record = async (query: string) =>
        jsonOf<{ audio?: string }>(await get(send, `/v1/task/${await uploadedVideo(send, query)}`)).audio;
      mustBe(
        [await record('face=true'), await record('face=true&audio=mute')],
        [undefined, 'mute'],
        'audio of the records',
      );
    },
  },
  {
    rule: 'preview is noted in the record and the report of a video, and in the name of its result',
    run: async (send) => {
      const id = await uploadedVideo(send, 'face=true&preview=0.5');
      const record = jsonOf<{ preview?: number }>(await get(send, `/v1/task/${id}`));
      const report = jsonOf<{ parameters: { preview?: number }; warnings: string[] }>(
        await get(send, `/v1/file/${id}/report`),
      );
      mustBe([record.preview, report.parameters.preview], [0.5, 0.5], 'length of the preview');
      must(
        report.warnings.includes('The result is a preview: it ends after 0.5 seconds of the source.'),
        'a warning about the preview',
        report.warnings,
      );
      const { headers } = await get(send, `/v1/file/${id}/video/anonymised`);
      const name = new Headers(headers).get('content-disposition') ?? '';
      must(name.includes('-preview-0.5s-anonymised.mp4'), 'a name that says so', name);
    },
  },
];
