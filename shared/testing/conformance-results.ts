import {
  OTHER_HOST,
  STRICT_HOST,
  jsonOf,
  must,
  mustBe,
  mustHaveFields,
  mustHaveStatus,
  mustHaveType,
  mustRefuse,
  type Answer,
  type ConformanceCase,
} from './conformance';
import { filePart, get, uploadedId } from './conformance-steps';
import { RAMP_PNG, RAMP_SIZE } from './ramp-images';

const PNG_MAGIC = [0x89, 0x50, 0x4e, 0x47];
const JPEG_MAGIC = [0xff, 0xd8, 0xff];

const mustBeJpeg = (answer: Answer): void => {
  mustHaveStatus(answer, 200);
  mustHaveType(answer, 'image/jpeg');
  mustBe([...answer.body.subarray(0, 3)], JPEG_MAGIC, 'the first bytes');
};
/** @returns width and height */
const mustBePng = (answer: Answer): [number, number] => {
  mustHaveStatus(answer, 200);
  mustHaveType(answer, 'image/png');
  mustBe([...answer.body.subarray(0, 4)], PNG_MAGIC, 'the first bytes');
  const view = new DataView(answer.body.buffer, answer.body.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
};

const png = [filePart(RAMP_PNG, 'ramps.png', 'image/png')];

const ANONYMISED: readonly ConformanceCase[] = [
  {
    rule: 'an anonymised image comes in the format of its upload by default',
    run: async (send) => {
      mustBeJpeg(await get(send, `/v1/file/${await uploadedId(send)}/anonymised`));
      const id = await uploadedId(send, { parts: png });
      mustBe(mustBePng(await get(send, `/v1/file/${id}/anonymised`)), RAMP_SIZE, 'width and height');
    },
  },
  {
    rule: 'download chooses the format',
    run: async (send) => {
      const jpegId = await uploadedId(send);
      mustBe(
        mustBePng(await get(send, `/v1/file/${jpegId}/anonymised?download=PNG`)),
        RAMP_SIZE,
        'width and height',
      );
      mustBeJpeg(await get(send, `/v1/file/${jpegId}/anonymised?download=JPEG`));
      const pngId = await uploadedId(send, { parts: png });
      mustBeJpeg(await get(send, `/v1/file/${pngId}/anonymised?download=JPEG&quality=70`));
    },
  },
  {
    rule: 'quality and compress-level are accepted at both ends of their ranges',
    run: async (send) => {
      const path = `/v1/file/${await uploadedId(send)}/anonymised`;
      for (const quality of ['1', '90', '100']) mustBeJpeg(await get(send, `${path}?quality=${quality}`));
      for (const level of ['0', '5', '9']) {
        mustBePng(await get(send, `${path}?download=PNG&compress_level=${level}`));
      }
    },
  },
  {
    rule: 'a download without parameters is the same as with their defaults',
    run: async (send) => {
      const file = `/v1/file/${await uploadedId(send)}`;
      for (const [bare, explicit] of [
        ['anonymised', 'anonymised?download=JPEG&quality=90'],
        ['anonymised?download=PNG', 'anonymised?download=PNG&compress-level=5'],
        ['binary-mask', 'binary-mask?mask-scale=100'],
        ['instance-mask', 'instance-mask?mask-scale=100'],
      ] as const) {
        const [one, other] = [await get(send, `${file}/${bare}`), await get(send, `${file}/${explicit}`)];
        mustHaveStatus(one, 200);
        mustBe([...one.body], [...other.body], bare);
      }
    },
  },
  ...[
    'download=GIF',
    'quality=0',
    'quality=101',
    'quality=high',
    'compress-level=-1',
    'compress-level=10',
  ].map((query): ConformanceCase => ({
    rule: `a download with ${query} is refused, never clamped`,
    run: async (send) => {
      const id = await uploadedId(send);
      mustRefuse(await get(send, `/v1/file/${id}/anonymised?${query}`), 422, query.split('=')[0]!);
    },
  })),
  {
    rule: 'method=detect gives masks and metadata but no image',
    run: async (send) => {
      const id = await uploadedId(send, { query: 'method=detect' });
      mustRefuse(await get(send, `/v1/file/${id}/anonymised`), 422, 'detect');
      mustHaveStatus(await get(send, `/v1/file/${id}/metadata`), 200);
      mustBePng(await get(send, `/v1/file/${id}/binary-mask`));
    },
  },
];

const MASKS: readonly ConformanceCase[] = [
  ...(['binary-mask', 'instance-mask'] as const).flatMap((mask): ConformanceCase[] => [
    {
      rule: `${mask} is a PNG of the image's size`,
      run: async (send) => {
        const answer = await get(send, `/v1/file/${await uploadedId(send)}/${mask}`);
        mustBe(mustBePng(answer), RAMP_SIZE, 'width and height');
      },
    },
    {
      rule: `mask-scale scales ${mask} down to this percentage`,
      run: async (send) => {
        const answer = await get(send, `/v1/file/${await uploadedId(send)}/${mask}?mask-scale=50`);
        mustBe(
          mustBePng(answer),
          RAMP_SIZE.map((side) => side / 2),
          'width and height',
        );
      },
    },
    {
      rule: `a mask-scale of 0 or above 100 is refused for ${mask}`,
      run: async (send) => {
        const id = await uploadedId(send);
        for (const scale of ['0', '-1', '100.5', 'half']) {
          mustRefuse(await get(send, `/v1/file/${id}/${mask}?mask_scale=${scale}`), 422, 'mask-scale');
        }
      },
    },
    {
      rule: `${mask} is 404 where the service was started without --save-mask`,
      host: STRICT_HOST,
      run: async (send) => {
        mustRefuse(await get(send, `/v1/file/${await uploadedId(send)}/${mask}`), 404, '--save-mask');
      },
    },
  ]),
  {
    rule: 'only the mask that --save-mask names exists',
    host: OTHER_HOST,
    run: async (send) => {
      const id = await uploadedId(send);
      mustBePng(await get(send, `/v1/file/${id}/binary-mask`));
      mustRefuse(await get(send, `/v1/file/${id}/instance-mask`), 404, '--save-mask');
    },
  },
];

interface Metadata {
  readonly id: string;
  readonly detections: readonly Record<string, unknown>[];
  readonly size: readonly number[];
  readonly duration: number;
  readonly filename: string;
  readonly folder: string | null;
}

const isIntegers = (value: unknown, length: number): value is number[] =>
  Array.isArray(value) && value.length === length && value.every(Number.isInteger);

export const DETECTION_FIELDS: readonly string[] = [
  'id',
  'parent_image',
  'offset',
  'bbox',
  'type',
  'score',
  'is_anonymised',
  'type_label',
  'color',
];

const mustBeDetection = (detection: Record<string, unknown>, index: number, filename: string): void => {
  const { bbox, offset, color, type, score } = detection;
  mustHaveFields(detection, DETECTION_FIELDS);
  mustBe(detection.id, index, 'id');
  mustBe(detection.parent_image, filename, 'parent_image');
  must(isIntegers(bbox, 4), 'a bbox of four whole numbers', bbox);
  mustBe(offset, bbox.slice(0, 2), "offset (the box's upper left corner)");
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = bbox;
  must(0 <= x1 && x1 < x2 && x2 <= RAMP_SIZE[0], 'x1 < x2 inside the image', bbox);
  must(0 <= y1 && y1 < y2 && y2 <= RAMP_SIZE[1], 'y1 < y2 inside the image', bbox);
  must([100, 101, 102, 103].includes(type as number), 'a known type', type);
  must(typeof score === 'number' && score >= 0 && score <= 1, 'a score from 0 to 1', score);
  must(color === null || isIntegers(color, 3), 'null or an RGB triplet', color);
};

const METADATA: readonly ConformanceCase[] = [
  {
    rule: 'metadata has exactly the fields of the contract',
    run: async (send) => {
      const id = await uploadedId(send);
      const metadata = jsonOf<Metadata>(await get(send, `/v1/file/${id}/metadata`));
      mustHaveFields(metadata, ['id', 'detections', 'size', 'duration', 'filename', 'folder']);
      mustBe([metadata.id, metadata.filename], ['ramps.jpg', 'ramps.jpg'], 'id and filename');
      mustBe(metadata.size, RAMP_SIZE, 'size');
      must(typeof metadata.duration === 'number' && metadata.duration >= 0, 'seconds', metadata.duration);
      must(
        metadata.folder === null || !metadata.folder.startsWith('/'),
        'a relative folder',
        metadata.folder,
      );
      metadata.detections.forEach((detection, index) => mustBeDetection(detection, index, 'ramps.jpg'));
    },
  },
  {
    rule: 'color is null where no instance mask is saved',
    host: OTHER_HOST,
    run: async (send) => {
      const id = await uploadedId(send, { query: 'face-threshold=0' });
      const { detections } = jsonOf<Metadata>(await get(send, `/v1/file/${id}/metadata`));
      must(
        detections.every(({ color }) => color === null),
        'null',
        detections,
      );
    },
  },
  {
    rule: 'color is an RGB triplet with R = 0 where instance masks are saved',
    run: async (send) => {
      const id = await uploadedId(send, { query: 'face-threshold=0' });
      const { detections } = jsonOf<Metadata>(await get(send, `/v1/file/${id}/metadata`));
      for (const { color } of detections) must(isIntegers(color, 3) && color[0] === 0, '[0, G, B]', color);
    },
  },
  {
    rule: 'is_anonymised is false with method=detect',
    run: async (send) => {
      const id = await uploadedId(send, { query: 'method=detect&face-threshold=0' });
      const { detections } = jsonOf<Metadata>(await get(send, `/v1/file/${id}/metadata`));
      must(
        detections.every(({ is_anonymised }) => is_anonymised === false),
        'false',
        detections,
      );
    },
  },
];

/** Downloads of a task that is done. */
export const RESULT_CASES: readonly ConformanceCase[] = [...ANONYMISED, ...MASKS, ...METADATA];
