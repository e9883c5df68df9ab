import {
  jsonOf,
  must,
  mustBe,
  mustHaveFields,
  mustHaveStatus,
  mustHaveType,
  mustRefuse,
  type ConformanceCase,
} from './conformance';
import { filePart, get, upload, uploadedId, waitForTask } from './conformance-steps';
import { jpegFile } from './image-bytes';
import { RAMP_JPEG, RAMP_PNG } from './ramp-images';
import { animatedGif, smallImage } from './small-images';

interface UploadAnswer {
  readonly content_type: string;
  readonly id: string;
  readonly metadata_url: string;
  readonly binary_mask_url: string;
  readonly instance_mask_url: string;
  readonly anonymised_url: string;
}
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);

const ACCEPTED: readonly ConformanceCase[] = [
  {
    rule: 'an image upload answers with exactly the six fields of the contract',
    run: async (send) => {
      const answer = jsonOf<UploadAnswer>(await upload(send));
      mustHaveFields(answer, [
        'content_type',
        'id',
        'metadata_url',
        'binary_mask_url',
        'instance_mask_url',
        'anonymised_url',
      ]);
      must(UUID.test(answer.id), 'a UUID as id', answer.id);
    },
  },
  {
    rule: 'links are <base>/v1/file/{id}/… on one base without a doubled slash',
    run: async (send) => {
      const answer = jsonOf<UploadAnswer>(await upload(send));
      const [base = ''] = answer.anonymised_url.split('/v1/');
      const folder = `${base}/v1/file/${answer.id}`;
      must(!base.endsWith('/'), 'no slash at the end of the base', base);
      mustBe(answer.anonymised_url, `${folder}/anonymised`, 'anonymised_url');
      mustBe(answer.metadata_url, `${folder}/metadata`, 'metadata_url');
      mustBe(answer.binary_mask_url, `${folder}/binary-mask`, 'binary_mask_url');
      mustBe(answer.instance_mask_url, `${folder}/instance-mask`, 'instance_mask_url');
    },
  },
  {
    rule: "the media type is detected from the file's content, not from name and header",
    run: async (send) => {
      const png = await upload(send, { parts: [filePart(RAMP_PNG, 'picture.jpg', 'image/jpg')] });
      mustBe(jsonOf<UploadAnswer>(png).content_type, 'image/png', 'content_type');
      const jpeg = await upload(send, { parts: [filePart(RAMP_JPEG, 'picture', 'text/plain')] });
      mustBe(jsonOf<UploadAnswer>(jpeg).content_type, 'image/jpeg', 'content_type');
    },
  },
  {
    rule: 'a synchronous upload is answered when its results can be downloaded',
    run: async (send) => {
      mustHaveStatus(await get(send, `/v1/file/${await uploadedId(send)}/anonymised`), 200);
    },
  },
  {
    rule: 'an asynchronous upload is answered at once and gets done',
    run: async (send) => {
      for (const value of ['1', 'true', 'True']) {
        const answer = await send({
          method: 'POST',
          url: '/v1/file',
          headers: { 'x-is-async': value },
          parts: [filePart()],
        });
        mustBe(await waitForTask(send, jsonOf<UploadAnswer>(answer).id), 'done', 'the status');
      }
    },
  },
  {
    rule: 'an x-is-async header that is neither true nor false is refused',
    run: async (send) => {
      const headers = { 'x-is-async': 'perhaps' };
      mustRefuse(
        await send({ method: 'POST', url: '/v1/file', headers, parts: [filePart()] }),
        422,
        'x-is-async',
      );
    },
  },
  {
    rule: 'parameters and headers outside the contract that real clients send are accepted',
    run: async (send) => {
      const part = { ...filePart(), headers: { Expires: '0' } };
      const query =
        'method=blur&save_mask=&watermark=False&quality=0&ignores=[]&format=whole&face=True&license_plate=True';
      mustHaveStatus(await upload(send, { query, parts: [part] }), 200);
    },
  },
  {
    rule: 'other form fields than the file are ignored',
    run: async (send) => {
      const field = { name: 'comment', filename: null, contentType: 'text/plain', bytes: text('hello') };
      mustHaveStatus(await upload(send, { parts: [field, filePart()] }), 200);
    },
  },
  {
    rule: 'a file name is reported without folders',
    run: async (send) => {
      const id = await uploadedId(send, { parts: [filePart(RAMP_JPEG, '../../etc/street.jpg')] });
      const { filename } = jsonOf<{ filename: string }>(await get(send, `/v1/file/${id}/metadata`));
      mustBe(filename, 'street.jpg', 'filename');
    },
  },
];

/** Formats that are read, and in which results are not written unless they are asked for. */
const READ_ONLY = {
  heic: 'image/heic',
  avif: 'image/avif',
  webp: 'image/webp',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  gif: 'image/gif',
} as const;

const OF_EACH_FORMAT = Object.entries(READ_ONLY).map(([format, contentType]): ConformanceCase => ({
  rule: `an upload of ${contentType} has that type, and a JPEG as result`,
  run: async (send) => {
    const file = smallImage(format as keyof typeof READ_ONLY);
    const answer = jsonOf<UploadAnswer>(await upload(send, { parts: [filePart(file, `ramps.${format}`)] }));
    mustBe(answer.content_type, contentType, 'content_type');
    const result = await get(send, `/v1/file/${answer.id}/anonymised`);
    mustHaveType(result, 'image/jpeg');
    mustBe([...result.body.subarray(0, 2)], [0xff, 0xd8], 'the first bytes');
    mustHaveType(await get(send, `/v1/file/${answer.id}/anonymised?download=PNG`), 'image/png');
  },
}));

const RESULT_FORMATS: readonly ConformanceCase[] = [
  {
    rule: 'a WebP with result-format=same has a WebP as result, in any quality, and its report says so',
    run: async (send) => {
      const parts = [filePart(smallImage('webp'), 'ramps.webp')];
      const id = await uploadedId(send, { parts, query: 'result-format=same' });
      for (const query of ['', '?quality=40']) {
        mustHaveType(await get(send, `/v1/file/${id}/anonymised${query}`), 'image/webp');
      }
      const { parameters } = jsonOf<{ parameters: Record<string, unknown> }>(
        await get(send, `/v1/file/${id}/report`),
      );
      mustBe(parameters['result-format'], 'same', 'result-format');
      mustHaveType(await get(send, `/v1/file/${id}/anonymised?download=PNG`), 'image/png');
    },
  },
  {
    rule: 'an upload of a format that is not written is refused with result-format=same, by its name',
    run: async (send) => {
      const parts = [filePart(smallImage('heic'), 'ramps.heic')];
      mustRefuse(await upload(send, { parts, query: 'result-format=same' }), 422, /HEIC.*JPEG.*PNG/);
    },
  },
];

const refused = (
  rule: string,
  bytes: Uint8Array,
  status: number,
  mentions: string | RegExp,
): ConformanceCase => ({
  rule: `${rule} is refused with ${status}`,
  run: async (send) => {
    mustRefuse(await upload(send, { parts: [filePart(bytes)] }), status, mentions);
    mustRefuse(await upload(send, { isAsync: true, parts: [filePart(bytes)] }), status, mentions);
  },
});

const REFUSED: readonly ConformanceCase[] = [
  {
    rule: 'an upload without a file is refused',
    run: async (send) => {
      const field = { name: 'comment', filename: null, contentType: 'text/plain', bytes: text('hello') };
      mustRefuse(await upload(send, { parts: [field] }), 422, 'fileobject');
    },
  },
  {
    rule: 'two files in one upload are refused',
    run: async (send) =>
      mustRefuse(await upload(send, { parts: [filePart(), filePart()] }), 422, 'fileobject'),
  },
  {
    rule: 'a file under another name than fileobject is refused, and the sentence names both',
    run: async (send) => {
      const answer = await upload(send, { parts: [{ ...filePart(), name: 'photo' }] });
      mustRefuse(answer, 422, /fileobject.*photo/);
    },
  },
  {
    rule: 'a body that is not multipart is refused',
    run: async (send) => {
      const headers = { 'content-type': 'image/jpeg' };
      mustRefuse(await send({ method: 'POST', url: '/v1/file', headers, body: RAMP_JPEG }), 422, 'multipart');
    },
  },
  {
    rule: 'a file of a 360° camera is refused by its name, and the sentence says to stitch it',
    run: async (send) => {
      for (const name of ['VID_00_001.insv', 'IMG_00_001.insp', 'GS010001.360']) {
        mustRefuse(await upload(send, { parts: [filePart(RAMP_JPEG, name)] }), 422, 'stitch');
      }
    },
  },
  refused('an empty file', new Uint8Array(0), 422, 'empty'),
  refused('text named .jpg', text('This is not an image.'), 422, /not an image/),
  refused('an animation, with its number of frames,', animatedGif(), 422, /animated GIF with 2 frames/),
  refused('a truncated JPEG', RAMP_JPEG.subarray(0, 300), 422, 'truncated'),
  refused('a truncated PNG', RAMP_PNG.subarray(0, 300), 422, 'truncated'),
  refused('an image that claims 65,535 × 65,535 pixels', jpegFile(65_535, 65_535), 422, /65,535 × 65,535/),
  {
    rule: 'an image whose pixels cannot be decoded is refused, or fails if it was queued',
    run: async (send) => {
      const parts = [filePart(jpegFile(64, 48))];
      mustRefuse(await upload(send, { parts }), 422, /damaged|decoded/);
      const id = await uploadedId(send, { isAsync: true, parts });
      mustBe(await waitForTask(send, id), 'failed', 'the status');
      mustRefuse(await get(send, `/v1/file/${id}/anonymised`), 422, 'failed');
    },
  },
  {
    rule: 'a refused upload leaves no task',
    run: async (send) => {
      const before = jsonOf<unknown[]>(await get(send, '/v1/task/list')).length;
      await upload(send, { parts: [filePart(text('This is not an image.'))] });
      await upload(send, { query: 'method=smudge' });
      mustBe(jsonOf<unknown[]>(await get(send, '/v1/task/list')).length, before, 'the number of tasks');
    },
  },
];

/** `POST /v1/file`: what is accepted and what is refused. */
export const UPLOAD_CASES: readonly ConformanceCase[] = [
  ...ACCEPTED,
  ...OF_EACH_FORMAT,
  ...RESULT_FORMATS,
  ...REFUSED,
];
