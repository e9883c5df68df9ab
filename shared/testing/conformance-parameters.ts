import { HIDING_METHODS, METHODS } from '../catalogue/methods';
import {
  OTHER_HOST,
  jsonOf,
  must,
  mustBe,
  mustHaveStatus,
  mustRefuse,
  type ConformanceCase,
} from './conformance';
import { get, upload, uploadedId } from './conformance-steps';

const encode = encodeURIComponent;
const grid = (number: unknown, overlap: unknown): string => encode(JSON.stringify({ number, overlap }));
const area = { topLeftX: 0, topLeftY: 0, width: 8, height: 8 };
const outside = { ...area, topLeftX: 100_000 };
const polygon = {
  points: [
    [0, 0],
    [0.5, 0],
    [0, 1],
  ],
  unit: 'fraction',
  start: 0,
  end: 1.5,
  method: 'blacken',
};

/** Queries of `POST /v1/file` that are accepted. */
const ACCEPTED: readonly (readonly [rule: string, query: string])[] = [
  ...METHODS.map((method) => ['every method', `method=${method}`] as const),
  ['booleans in every spelling', 'face=True&person=1&vehicle=yes&license-plate=on&debug=true'],
  ['booleans in every spelling', 'face=true&person=False&vehicle=0&license-plate=no&debug=off'],
  ['debug with score', 'debug=True&score=True'],
  ['whole boxes', 'bbox=True'],
  ['plates searched as any text', 'plates=thorough'],
  ['every quality preset', 'quality-preset=fast'],
  ['every quality preset', 'quality-preset=balanced'],
  ['every quality preset', 'quality_preset=thorough'],
  ['heads of persons without a face', 'face=True&head-fallback=True'],
  ['methods of single classes', 'face-method=blacken&license_plate-method=pixelate'],
  ['margins, for all and of a single class', 'margin=1.5&license_plate-margin=2'],
  ['text with its own threshold and method', 'text=True&face=True&text_threshold=0.3&text-method=blacken'],
  ['codes of reasons over masks', 'reason-labels=True'],
  ['kept metadata', 'keep-metadata=True'],
  ['a format of the result', 'result-format=jpeg'],
  ['a format of the result', 'result_format=webp'],
  ['copied blocks of a JPEG file', 'jpeg-copy=True&result-format=jpeg'],
  ['muted audio', 'audio=mute'],
  ['dashes and underscores alike', 'license_plate=True&face_threshold=0.3'],
  ['both spellings with equal values', 'license_plate=True&license-plate=True&license-plate-threshold=0.5'],
  ['empty values, which are ignored', 'method=&face=&face-threshold=&format=&ignores=&webhook='],
  ['an unknown parameter', 'watermark=False&nonsense=%7B%7D'],
  ['thresholds at their edges', 'face-threshold=0&person-threshold=1&vehicle-threshold=1.0'],
  ['the deprecated threshold', 'segmentation-threshold=0.6'],
  ['a bare whole', 'format=whole'],
  ['whole as JSON', `format=${encode('"whole"')}`],
  ['tiles', `format=${grid([2, 1], [0.1, 0])}`],
  ['a panorama', 'format=pano:4096'],
  ['the tiling that a file asks for', 'format=auto'],
  ['no areas', 'ignores=[]'],
  ['areas', `ignores=${encode(JSON.stringify([area, area]))}`],
  ['areas that are always hidden', `hides=${encode(JSON.stringify([area, polygon]))}`],
  ['kinds of text', 'text=true&text-threshold=1&text-match=email,%20phone&text-keep=Exit'],
  ['an expression', `text=true&text-threshold=1&text-match=${encode('/INV-\\d+/')}`],
  ['parameters of videos', 'no-object-tracking=True&keep-bit-rate=True'],
  ['every third frame of a video', 'detect-every=3'],
  ['the first seconds of a video', 'preview=3'],
  ['the first seconds of a video', 'preview=0.1'],
  [
    'the headers of a webhook under both names',
    'webhook-auth-header-name=x-key&web-auth-header-name=x-key&web-auth-header-value=secret',
  ],
];

/** Queries of `POST /v1/file` that are refused, and what the sentence names. */
const REFUSED: readonly (readonly [rule: string, query: string, mentions: string | RegExp])[] = [
  ['an unknown method', 'method=smudge', new RegExp(`method.*${METHODS.join(', ')}.*smudge`)],
  [
    'a method of a class that hides nothing',
    'face-method=detect',
    new RegExp(`\`face-method\`.*${HIDING_METHODS.join(', ')}`),
  ],
  [
    'an unknown format of the result',
    'result-format=gif',
    /`result-format`.*same, jpeg, png, webp, avif.*gif/,
  ],
  ['unknown audio', 'audio=loud', /`audio`.*keep, mute/],
  ['an unknown quality preset', 'quality-preset=best', /`quality-preset`.*fast, balanced, thorough.*"best"/],
  ['an invalid boolean', 'face=maybe', /face.*true or false.*maybe/],
  ['a margin below 1', 'margin=0.9', /`margin`.*1 to 2.*0\.9/],
  ['a threshold above 1', 'face-threshold=1.01', /face-threshold.*0 to 1.*1\.01/],
  ['a threshold below 0', 'person-threshold=-0.1', /person-threshold.*0 to 1/],
  ['a threshold that is not a number', 'vehicle-threshold=0,5', /vehicle-threshold.*0,5/],
  ['a threshold that is not a number', 'license-plate-threshold=NaN', 'license-plate-threshold'],
  ['a threshold above 1', 'text-threshold=1.5', /text-threshold.*0 to 1.*1\.5/],
  ['a threshold that is not a number', 'segmentation-threshold=0x1', 'segmentation-threshold'],
  ['an infinite threshold', 'face-threshold=1e999', 'face-threshold'],
  ['both spellings with different values', 'face-threshold=0.3&face_threshold=0.4', 'face-threshold'],
  ['a detect-every of 0', 'detect-every=0', /detect-every.*whole number from 1 to 30.*"0"/],
  ['a fractional detect-every', 'detect_every=1.5', 'detect-every'],
  ['a preview without a length', 'preview=0', /preview.*0\.1 to 3600.*"0"/],
  ['a preview that is not a number', 'preview=3s', 'preview'],
  ['one name with different values', 'method=blur&method=blacken', 'method'],
  ['all classes switched off', 'face=False&license-plate=False&person=False&vehicle=False', /face/],
  ['a format that is not JSON', `format=${encode('{"number":[2,')}`, 'format'],
  ['a format with another JSON type', `format=${encode('[2,2]')}`, 'format'],
  ['tiles without a number', `format=${grid([0, 2], [0, 0])}`, 'format'],
  ['tiles that overlap completely', `format=${grid([2, 2], [1, 0])}`, 'format'],
  ['more tiles than the limit', `format=${grid([200, 200], [0, 0])}`, /format.*256/],
  ['a panorama without a width', 'format=pano:', 'format'],
  ['a panorama beyond the limit', 'format=pano:9999999', 'format'],
  ['areas that are not JSON', 'ignores=nothing', 'ignores'],
  ['areas that are not a list', `ignores=${encode(JSON.stringify(area))}`, 'ignores'],
  ['an area without a width', `ignores=${encode('[{"topLeftX":0,"topLeftY":0,"height":1}]')}`, 'ignores'],
  [
    'an area with a fractional width',
    `ignores=${encode(JSON.stringify([{ ...area, width: 0.5 }]))}`,
    'ignores',
  ],
  ['text of an unknown kind', 'text=true&text-match=email,mail', 'text-match'],
  ['an expression that does not end', `text=true&text-match=${encode('/(a/')}`, 'text-match'],
  ['an expression that looks ahead', `text=true&text-match=${encode('/a(?=b)/')}`, 'text-match'],
  ['text that is read but not selected', 'text-match=email', /`text-match`.*`text=true`/],
  [
    'a kept word that nothing can read',
    `text=true&text-keep=${encode('Exit Straße')}`,
    /`text-keep`.*"straße"/,
  ],
  ['hidden areas that are not JSON', 'hides=nothing', 'hides'],
  ['a hidden area outside the image', `hides=${encode(JSON.stringify([outside]))}`, /`hides\[0\]`.*outside/],
  [
    'a hidden area that ends before its start',
    `hides=${encode(JSON.stringify([{ ...area, start: 2, end: 1 }]))}`,
    /`hides\[0\]`.*`start`/,
  ],
  ['a webhook that is not an http address', `webhook=${encode('ftp://localhost/')}`, 'webhook'],
  ['a header name with a space', 'webhook-auth-header-name=a%20b', 'webhook-auth-header-name'],
  ['a header value with a line break', 'webhook-auth-header-value=a%0D%0Ab', 'webhook-auth-header-value'],
  // Refused by hosts that send nothing and by hosts that send to public addresses only.
  ...['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:10.0.0.1]', '169.254.169.254'].map(
    (host) =>
      ['a webhook to a private address', `webhook=${encode(`http://${host}:9/`)}`, '`webhook`'] as const,
  ),
  ['a webhook with a password', `webhook=${encode('http://user:word@localhost/')}`, /webhook.*password/],
  ['a webhook with a user name', `webhook=${encode('https://user@localhost/')}`, /webhook.*user name/],
  ['a webhook without a host', `webhook=${encode('http://')}`, /webhook.*URL/],
  ['a webhook with an invalid port', `webhook=${encode('http://localhost:99999/')}`, /webhook.*URL/],
  ...['Host', 'content-length', 'Transfer-Encoding', 'Connection', 'Proxy-Authorization', 'webhook-id'].map(
    (name) =>
      [
        'a header that the notification sets itself',
        `webhook-auth-header-name=${name}&webhook-auth-header-value=x`,
        new RegExp(`webhook-auth-header-name.*${name}`),
      ] as const,
  ),
  ['broken percent escapes', 'method=%zz', /percent/],
  ['percent escapes that are not UTF-8', 'nonsense=%ff', /UTF-8/],
];

const TYPE_CODES = { face: 103, person: 100, 'license-plate': 101, vehicle: 102, text: 104 } as const;

const typesFound = async (send: Parameters<ConformanceCase['run']>[0], query: string): Promise<number[]> => {
  const id = await uploadedId(send, { query });
  const { detections } = jsonOf<{ detections: { type: number }[] }>(
    await get(send, `/v1/file/${id}/metadata`),
  );
  return detections.map(({ type }) => type);
};

const CLASSES: readonly ConformanceCase[] = [
  ...((['face', 'license-plate', 'person', 'vehicle', 'text'] as const).map((objectClass) => ({
    rule: `${objectClass}=True alone detects only ${objectClass} (type ${TYPE_CODES[objectClass]})`,
    run: async (send) => {
      const types = await typesFound(send, `${objectClass}=True`);
      must(
        types.every((type) => type === TYPE_CODES[objectClass]),
        `type ${TYPE_CODES[objectClass]} only`,
        types,
      );
    },
  })) satisfies ConformanceCase[]),
  {
    rule: 'text is not detected unless the request or the service selects it',
    run: async (send) => {
      for (const query of ['', 'vehicle=False', 'text=False', 'text-threshold=0']) {
        const types = await typesFound(send, query);
        must(!types.includes(TYPE_CODES.text), `no text with "${query}"`, types);
      }
    },
  },
  {
    rule: 'text is accepted by a service that was started with other classes',
    host: OTHER_HOST,
    run: async (send) => {
      mustHaveStatus(await upload(send, { query: 'text=True' }), 200);
      mustRefuse(await upload(send, { query: 'text=True&vehicle=True' }), 422, /vehicle.*face/);
      mustRefuse(await upload(send, { query: 'face=False' }), 422, 'face');
    },
  },
  {
    rule: 'a class that is switched off is not detected',
    run: async (send) => {
      const types = await typesFound(send, 'face=False');
      must(!types.includes(TYPE_CODES.face), 'no face', types);
    },
  },
  {
    rule: 'a class that the service was not started with is refused',
    host: OTHER_HOST,
    run: async (send) => {
      mustRefuse(await upload(send, { query: 'vehicle=True' }), 422, /vehicle.*face/);
      mustHaveStatus(await upload(send, { query: 'face=True' }), 200);
      mustHaveStatus(await upload(send), 200);
    },
  },
];

const HIDDEN_AREAS: ConformanceCase = {
  rule: 'an area that is always hidden is listed behind the detections, of the type area (105), and counted in the report',
  run: async (send) => {
    const query = `face=True&hides=${encode(JSON.stringify([area]))}`;
    const id = await uploadedId(send, { query });
    const { detections } = jsonOf<{
      detections: { type: number; type_label: string; is_anonymised: boolean }[];
    }>(await get(send, `/v1/file/${id}/metadata`));
    const last = detections.at(-1);
    mustBe([last?.type, last?.type_label, last?.is_anonymised], [105, 'area', true], 'the last detection');
    const { counts, warnings } = jsonOf<{ counts: { area?: object }; warnings: string[] }>(
      await get(send, `/v1/file/${id}/report`),
    );
    mustBe(counts.area, { anonymised: 1, detected: 1 }, 'the count of areas');
    must(
      warnings.includes('Number of areas that are anonymised always: 1.'),
      'a sentence about areas',
      warnings,
    );
  },
};

/** Parameters of an upload. */
export const PARAMETER_CASES: readonly ConformanceCase[] = [
  HIDDEN_AREAS,
  ...ACCEPTED.map(([rule, query]): ConformanceCase => ({
    rule: `an upload accepts ${rule}: ${decodeURIComponent(query)}`,
    run: async (send) => mustHaveStatus(await upload(send, { query }), 200),
  })),
  ...REFUSED.map(([rule, query, mentions]): ConformanceCase => ({
    rule: `an upload refuses ${rule}: ${query}`,
    run: async (send) => mustRefuse(await upload(send, { query }), 422, mentions),
  })),
  ...CLASSES,
];
