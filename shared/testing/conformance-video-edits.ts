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
import { RAMP_MP4 } from './video-files';
import { AREA, SCREEN, STROKE, WRONG_VIDEO_EDITS } from './wrong-video-edits';

const uploadedVideo = (send: Send, query = 'face=true'): Promise<string> =>
  uploadedId(send, { parts: [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')], query });

interface Detection {
  readonly track_id: number;
  readonly is_anonymised: boolean;
  readonly bbox: readonly [number, number, number, number];
  readonly type_label: string;
}
const detectionsOf = async (send: Send, id: string): Promise<readonly Detection[]> =>
  jsonOf<{ detections: Detection[] }[]>(await get(send, `/v1/file/${id}/video/metadata`)).flatMap(
    ({ detections }) => detections,
  );
const areHidden = async (send: Send, id: string, track: number): Promise<boolean> =>
  (await detectionsOf(send, id))
    .filter(({ track_id }) => track_id === track)
    .every(({ is_anonymised }) => is_anonymised);

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
    rule: 'a track of a video that edits place in one frame is moved like that in all frames, with another class in metadata and log',
    run: async (send) => {
      const id = await uploadedVideo(send);
      const found = await detectionsOf(send, id);
      const { track_id: track, bbox: box } = found[0]!;
      const [x1, y1, x2, y2] = box;
      const bbox = [x1, y1, Math.round((x1 + x2) / 2), y2];
      const edit = { id: track, bbox, type_label: 'person' };
      mustHaveStatus(await putEdits(send, id, { objects: [{ ...edit, frame: 0 }] }), 200);
      const { objects } = jsonOf<{ objects: object[] }>(await get(send, editsPath(id)));
      mustBe(objects, [{ ...edit, frame: 0 }], 'the edits as they were sent');
      const moved = await detectionsOf(send, id);
      const ofTrack = (all: readonly Detection[]) => all.filter(({ track_id: one }) => one === track);
      mustBe(ofTrack(moved)[0]?.bbox, bbox, 'the place in its frame');
      must(
        ofTrack(moved).every(
          ({ bbox: [left, , right], type_label: name }, i) =>
            name === 'person' && right - left < ofTrack(found)[i]!.bbox[2] - ofTrack(found)[i]!.bbox[0],
        ),
        'a narrower person in all frames',
        moved,
      );
      const log = jsonOf<{ redactions: { type_label: string; decided_by: string }[] }>(
        await get(send, `/v1/file/${id}/redactions`),
      );
      must(
        log.redactions.some(({ type_label: name, decided_by: by }) => name === 'person' && by === 'reviewer'),
        'a row of a person that somebody decided',
        log,
      );
      // Edits start from what was found, and not from other edits.
      mustHaveStatus(await putEdits(send, id, { objects: [{ id: track, bbox, at: 0 }] }), 200);
      mustBe(ofTrack(await detectionsOf(send, id))[0]?.bbox, bbox, 'the same place again');
      mustHaveStatus(await putEdits(send, id, {}), 200);
      mustBe(await detectionsOf(send, id), found, 'what was found');
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
      for (const [edits, sentence] of WRONG_VIDEO_EDITS) {
        mustRefuse(await putEdits(send, id, edits), 422, sentence);
      }
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
