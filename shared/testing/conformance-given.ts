import {
  jsonOf,
  mustBe,
  mustRefuse,
  type Answer,
  type ConformanceCase,
  type Send,
  type SentPart,
} from './conformance';
import { newKey } from './conformance-idempotency';
import { filePart, get, upload, uploadedId } from './conformance-steps';
import { RAMP_SIZE } from './ramp-images';
import { RAMP_MP4, RAMP_VIDEO } from './video-files';

const [WIDTH, HEIGHT] = RAMP_SIZE;
const FACE = { class: 'face', bbox: [2, 3, 12, 13], score: 0.25, track: 7 };
const CAR = { class: 'vehicle', bbox: [20, 10, 40, 30] };

const detections = (...lines: readonly object[]): SentPart => ({
  ...{ name: 'detections', filename: 'detections.jsonl', contentType: 'application/jsonl' },
  bytes: new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
});
const image = (objects: readonly object[], rest: object = {}): object => ({
  ...{ file: 'ramps.jpg', width: WIDTH, height: HEIGHT, objects },
  ...rest,
});
const { frames: FRAMES, width, height } = RAMP_VIDEO;
const framesOf = (count: number): object[] =>
  Array.from({ length: count }, (_, frame) => ({ width, height, frame, objects: frame === 1 ? [FACE] : [] }));
const VIDEO = filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4');

const COCO: SentPart = {
  ...{ name: 'detections', filename: null, contentType: 'application/json' },
  bytes: new TextEncoder().encode(
    JSON.stringify({
      images: [{ id: 4, file_name: 'data/ramps.jpg', width: WIDTH, height: HEIGHT }],
      categories: [{ id: 1, name: 'face' }],
      annotations: [{ id: 1, image_id: 4, category_id: 1, bbox: [2, 3, 10, 10], score: 0.25 }],
    }),
  ),
};

interface Found {
  readonly detections: readonly { readonly type_label: string; readonly bbox: readonly number[] }[];
}

const foundIn = async (send: Send, url: string): Promise<readonly (readonly unknown[])[]> => {
  const answer = jsonOf<Found | readonly Found[]>(await get(send, url));
  return [answer]
    .flat()
    .flatMap((one) => (one as Found).detections.map((each) => [each.type_label, each.bbox]));
};

/** Nothing is stored of what is refused. */
const mustRefuseUnstored = async (
  send: Send,
  parts: readonly SentPart[],
  mentions: RegExp,
): Promise<void> => {
  const count = async (): Promise<number> => jsonOf<unknown[]>(await get(send, '/v1/task/list')).length;
  const before = await count();
  const answer: Answer = await upload(send, { parts });
  mustRefuse(answer, 422, mentions);
  mustBe(await count(), before, 'the number of tasks');
};

const REFUSED: readonly (readonly [what: string, parts: readonly SentPart[], mentions: RegExp])[] = [
  ['without content', [filePart(), detections()], /detections are empty/],
  ['with an unknown class', [filePart(), detections(image([{ ...FACE, class: 'dog' }]))], /Line 1 .*"dog"/],
  [
    'with a box outside the image',
    [filePart(), detections(image([{ ...FACE, bbox: [48, 0, 60, 9] }]))],
    /Line 1 .* outside/,
  ],
  [
    'of a turned image',
    [filePart(), detections(image([], { width: HEIGHT, height: WIDTH }))],
    /Line 1 .* turn/,
  ],
  ['that name the file twice', [filePart(), detections(image([]), image([]))], /Line 2 .* twice/],
  ['of another file', [filePart(), detections(image([], { file: 'a.jpg' }))], /list nothing/],
  ['twice', [filePart(), detections(image([])), detections(image([]))], /2 files of detections/],
  ['of too few frames', [VIDEO, detections(...framesOf(FRAMES - 1))], /the video has 4/],
  ['of too many frames', [VIDEO, detections(...framesOf(FRAMES + 1))], /the video has 4/],
];

/** Uploads with a file of detections: nothing is searched. */
export const GIVEN_CASES: readonly ConformanceCase[] = [
  {
    rule: 'an upload with detections hides these, whatever their class and score, and searches nothing',
    run: async (send) => {
      const parts = [filePart(), detections(image([FACE, CAR]))];
      const id = await uploadedId(send, { parts, query: 'license-plate=true' });
      const expected = [
        ['face', FACE.bbox],
        ['vehicle', CAR.bbox],
      ];
      mustBe(await foundIn(send, `/v1/file/${id}/metadata`), expected, 'the objects');
      const report = jsonOf<{ models: unknown; detections: { size: number } }>(
        await get(send, `/v1/file/${id}/report`),
      );
      mustBe(report.models, [], 'the models');
      mustBe(report.detections.size, parts[1]!.bytes.byteLength, 'the size of the detections');
    },
  },
  {
    rule: 'detections may be a file of COCO, also in a form field',
    run: async (send) => {
      const id = await uploadedId(send, { parts: [COCO, filePart()] });
      mustBe(await foundIn(send, `/v1/file/${id}/metadata`), [['face', FACE.bbox]], 'the objects');
    },
  },
  {
    rule: 'detections of a video are those of its frames',
    run: async (send) => {
      const id = await uploadedId(send, { parts: [VIDEO, detections(...framesOf(FRAMES))] });
      const url = `/v1/file/${id}/video/metadata`;
      const frames = jsonOf<readonly (Found & { id: number })[]>(await get(send, url));
      mustBe(
        frames.map((frame) => frame.detections.length),
        [0, 1, 0, 0],
        'the numbers of objects',
      );
    },
  },
  ...REFUSED.map(([what, parts, mentions]): ConformanceCase => ({
    rule: `detections ${what} are refused by one sentence, and nothing is stored`,
    run: (send) => mustRefuseUnstored(send, parts, mentions),
  })),
  {
    rule: 'the same key with other detections is another request',
    run: async (send) => {
      const [idempotencyKey, file] = [newKey(), filePart()];
      await uploadedId(send, { idempotencyKey, parts: [file, detections(image([FACE]))] });
      const other = await upload(send, { idempotencyKey, parts: [file, detections(image([CAR]))] });
      mustRefuse(other, 422, 'Idempotency-Key');
    },
  },
];
