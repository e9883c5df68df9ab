import * as fc from 'fast-check';
import type { SentPart, SentRequest } from './conformance';
import { filePart, UNKNOWN_ID } from './conformance-steps';
import { MP4_START, RAMP_JPEG, RAMP_PNG } from './ramp-images';

/** A parameter in the API's description. */
export interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly exclusiveMinimum?: number;
    readonly maximum?: number;
  };
}

/** A percent-encoded value, and whether the description allows it; undefined if that is unknown. */
export interface Given {
  readonly text: string;
  readonly isAllowed: boolean | undefined;
}

/** One parameter in a query: `name=value`. */
export type GivenPair = Given & { readonly name: string };

const encode = encodeURIComponent;
const one = (isAllowed: boolean | undefined, ...texts: readonly string[]): fc.Arbitrary<Given> =>
  fc.constantFrom(...texts).map((text) => ({ text, isAllowed }));
const encoded = (texts: fc.Arbitrary<string>, isAllowed: boolean | undefined): fc.Arbitrary<Given> =>
  texts.map((text) => ({ text: encode(text), isAllowed }));

/** Hostile values. They are short enough for the longest request line of all servers. */
const HOSTILE = fc.oneof(
  one(undefined, '%zz', '%', '%ff', '%c0%af', '%00', '%0d%0aset-cookie:%20a', '..%2f..%2f', '%F0%9F%98%80'),
  one(undefined, 'a'.repeat(5_000), encode('é'.repeat(800)), '='.repeat(50), '[]', '{}', 'null', '%7B%22'),
  encoded(fc.string({ unit: 'binary', maxLength: 40 }), undefined),
);

const FLAGS = fc.oneof(
  one(true, 'True', 'False', 'true', 'false', '1', '0', 'yes', 'no', 'on', 'off', 'YES', ''),
  one(false, '2', 'maybe', 'truefalse', '-1', 'null', 'None', '%5B%5D'),
);

const NUMBER_FACTS = { type: 'number', minimum: -1e6, maximum: 1e6 };

const isInRange = (
  value: number,
  { type, minimum, exclusiveMinimum, maximum }: DescribedParameter['schema'],
): boolean =>
  value >= (minimum ?? -Infinity) &&
  value > (exclusiveMinimum ?? -Infinity) &&
  value <= (maximum ?? Infinity) &&
  (type !== 'integer' || Number.isInteger(value));

/** Numbers at each bound, just beyond it and far away, and texts that other languages read as numbers. */
const numbers = (schema: DescribedParameter['schema']): fc.Arbitrary<Given> => {
  const edges = [schema.minimum, schema.exclusiveMinimum, schema.maximum].filter(
    (edge) => edge !== undefined,
  );
  const near = edges.flatMap((edge) => [edge, edge - 1, edge + 1, edge - 0.001, edge + 0.001]);
  const { minimum, maximum } = { ...NUMBER_FACTS, ...schema };
  const any = fc.double({ min: minimum - 1, max: maximum + 1, noNaN: true });
  return fc.oneof(
    fc
      .oneof(fc.constantFrom(...near), any, any.map(Math.round))
      .map((value) => ({ text: encode(String(value)), isAllowed: isInRange(value, schema) })),
    one(false, 'NaN', 'Infinity', '1e999', '0x1', '1,5', '1_0', '%D9%A1', '--1', '1%20000', 'null', '1e'),
    one(true, ''),
  );
};

const words = (allowed: readonly string[]): fc.Arbitrary<Given> =>
  fc.oneof(
    one(true, '', ...allowed.map(encode)),
    one(false, 'none', '0', ...allowed.map((word) => encode(`${word}x`))),
  );

const area = { topLeftX: 0, topLeftY: 0, width: 8, height: 8 };
/** Values of text parameters. No `webhook` has an address that a server may call, so tests send nothing. */
const TEXTS: Readonly<Record<string, fc.Arbitrary<Given>>> = {
  format: fc.oneof(
    one(
      true,
      '',
      'whole',
      '%22whole%22',
      'auto',
      'guess',
      'pano:512',
      encode('{"number":[2,1],"overlap":[0.1,0]}'),
    ),
    one(
      false,
      'pano',
      'pano:0',
      'hole',
      encode('{"number":[0,1],"overlap":[0,0]}'),
      encode('[['.repeat(400)),
    ),
    encoded(fc.json(), undefined),
  ),
  ignores: fc.oneof(
    one(true, '', '[]', encode(JSON.stringify([area]))),
    one(false, 'x', '7', encode(JSON.stringify([{ ...area, width: -1 }])), encode('[{"__proto__":{}}]')),
    encoded(fc.json(), undefined),
  ),
  hides: fc.oneof(
    one(true, '', '[]', encode(JSON.stringify([area]))),
    one(false, 'x', '7', encode(JSON.stringify([{ ...area, width: 0 }])), encode('[{"points":[[0,0]]}]')),
    encoded(fc.json(), undefined),
  ),
  webhook: fc.oneof(
    one(
      false,
      'ftp://a/',
      'http://',
      'http://user:word@localhost/',
      'javascript:alert(1)',
      'http://127.0.0.1:1/',
    ),
    encoded(fc.string({ maxLength: 60 }), undefined),
  ),
};

const valuesOf = ({ name, schema }: DescribedParameter): fc.Arbitrary<Given> => {
  if (schema.type === 'boolean') return FLAGS;
  if (schema.type === 'number' || schema.type === 'integer') return numbers(schema);
  if (schema.enum) return words(schema.enum);
  return TEXTS[name] ?? one(true, '');
};

/** One parameter, with its name in either spelling and sometimes a hostile value. */
const pairOf = (parameter: DescribedParameter): fc.Arbitrary<GivenPair> =>
  fc
    .record({
      name: fc.constantFrom(
        parameter.name,
        parameter.name.replaceAll('-', '_'),
        parameter.name.replaceAll('_', '-'),
      ),
      given: fc.oneof({ arbitrary: valuesOf(parameter), weight: 12 }, { arbitrary: HOSTILE, weight: 1 }),
    })
    .map(({ name, given }) => ({ name, ...given }));

const UNLISTED: fc.Arbitrary<GivenPair> = fc
  .constantFrom('watermark=False', 'save_mask=', '__proto__=1', 'constructor=x', '=', '')
  .map((text) => ({ name: text.split('=')[0] ?? '', text: text.split('=')[1] ?? '', isAllowed: true }));

/** Some parameters of an operation in any order, and one that the description does not contain. */
export const queries = (parameters: readonly DescribedParameter[]): fc.Arbitrary<readonly GivenPair[]> => {
  const listed = parameters.filter((parameter) => parameter.in === 'query');
  const some = fc.shuffledSubarray(listed, { maxLength: Math.min(5, listed.length) });
  return fc
    .tuple(
      some.chain((chosen) => fc.tuple(...chosen.map(pairOf))),
      fc.array(UNLISTED, { maxLength: 1 }),
    )
    .map(([pairs, unlisted]) => [...pairs, ...unlisted]);
};

/** Values for `{id}` in a path: mostly the `known` id of a task, otherwise an unknown one. */
export const ids = (known: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constant(known), weight: 4 },
    {
      arbitrary: fc.constantFrom(
        UNKNOWN_ID,
        known.toUpperCase(),
        'no-uuid',
        '%zz',
        '%00',
        '%2e%2e%2f',
        "'--",
        '0',
      ),
      weight: 1,
    },
    { arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map(encode), weight: 1 },
  );

export const ASYNC_HEADERS = fc.oneof(
  one(true, '', '1', '0', 'true', 'True', 'False', 'yes'),
  one(false, 'perhaps', '2', 'null', 'a'.repeat(2_000)),
);

const FILE_BYTES = fc.oneof(
  { arbitrary: fc.constant(RAMP_JPEG), weight: 3 },
  {
    arbitrary: fc.constantFrom(RAMP_PNG, RAMP_PNG.subarray(0, 60), RAMP_JPEG.subarray(0, 90), MP4_START),
    weight: 2,
  },
  { arbitrary: fc.uint8Array({ maxLength: 300 }), weight: 1 },
);

const PARTS: fc.Arbitrary<SentPart> = fc.record({
  name: fc.constantFrom('fileobject', 'fileobject', 'fileobject', 'file', '', '__proto__', 'a'.repeat(300)),
  filename: fc.constantFrom(
    null,
    'a.jpg',
    '',
    '../../etc/passwd',
    'ä😀.jpg',
    'a"b\\c.jpg',
    '\u0001',
    'n'.repeat(400),
  ),
  contentType: fc.constantFrom(
    'image/jpg',
    'video/mp4',
    'text/html',
    '',
    'multipart/form-data; boundary=a',
    ';;;',
  ),
  bytes: FILE_BYTES,
});

const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);
const HEAD = '--b\r\nContent-Disposition: form-data; name="fileobject"; filename="a.jpg"\r\n';

/** Bodies that are truncated, contradictory or not multipart. */
export const BROKEN_BODIES: fc.Arbitrary<Pick<SentRequest, 'body' | 'headers'>> = fc.record({
  body: fc.oneof(
    fc
      .constantFrom(
        '',
        '--b--\r\n',
        '--b',
        HEAD,
        `${HEAD}\r\n`,
        `${HEAD}\r\nabc`,
        `${HEAD}\r\nabc\r\n--c--\r\n`,
      )
      .map(text),
    fc.constant(text(`--b\r\n${'X: y\r\n'.repeat(2_000)}\r\nabc\r\n--b--\r\n`)),
    fc.constant(text(`${HEAD}\r\na\r\n`.repeat(200))),
    fc.uint8Array({ maxLength: 200 }),
  ),
  headers: fc
    .constantFrom(
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
      'multipart/mixed; boundary=b',
      'application/json',
      'application/x-www-form-urlencoded',
    )
    .map((type) => ({ 'content-type': type })),
});

/** Bodies of uploads. `isWhole` means one valid image in a part with the right name. */
export const UPLOADS: fc.Arbitrary<Pick<SentRequest, 'parts' | 'body' | 'headers'> & { isWhole: boolean }> =
  fc.oneof(
    { arbitrary: fc.constant({ parts: [filePart()], isWhole: true }), weight: 5 },
    {
      arbitrary: fc.array(PARTS, { maxLength: 3 }).map((parts) => ({ parts, isWhole: false })),
      weight: 2,
    },
    { arbitrary: BROKEN_BODIES.map((broken) => ({ ...broken, isWhole: false })), weight: 2 },
  );
