import { readdirSync, readFileSync } from 'node:fs';
import { METHODS } from '#shared/catalogue/methods';
import type { Answer } from '#shared/testing/conformance';
import { filePart } from '#shared/testing/conformance-steps';
import { expect, type Host, HOSTS } from './support/hosts';
import { test } from './support/own-server';
import { READABLE, type ReadableImage, UNREADABLE, upright, withOrientation } from './support/unusual-images';
import { meanDifference, readPixels } from './support/pixels';
import { dataPath } from './support/samples';
import { json, postParts, upload } from './support/upload';

const EVERYWHERE = () => true;
/** Maximum mean difference after decoding, chroma upsampling and encoding, of 255. */
const MAX_DIFFERENCE = 6;
const NOTHING_FOUND = 'face=true&face-threshold=1';

const complaint = (answer: Answer): { status: number; detail: string } => ({
  status: answer.status,
  detail: json<{ detail: string }>(answer).detail,
});

const IGNORES = 'a JSON array of {"topLeftX":0,"topLeftY":0,"width":1,"height":1} with whole numbers';
const CROSSING = '{"points":[[0,0],[9,9],[9,0],[0,9]]}';
const REASONS = 'a JSON array of {"code":"b6","label":"Personal privacy"} with different codes';
const FORMAT = '`whole`, `auto`, `guess`, `pano:N` or JSON such as {"number":[2,2],"overlap":[0.1,0.1]}';
const TEXT_MATCH =
  'a list of `email`, `phone`, `card`, `iban` and `date`, or an expression of RE2 between slashes';
const NO_TILES = '{"number":[0,2],"overlap":[0,0]}';
const MANY_TILES = '{"number":[40,40],"overlap":[0,0]}';

/** Refused parameters with their error sentences. */
const BAD_QUERIES: readonly (readonly [query: string, detail: string])[] = [
  ['face-threshold=1.5', '`face-threshold` must be a number from 0 to 1, not "1.5".'],
  ['person_threshold=-0.1', '`person-threshold` must be a number from 0 to 1, not "-0.1".'],
  ['vehicle-threshold=high', '`vehicle-threshold` must be a number from 0 to 1, not "high".'],
  ['margin=0.5', '`margin` must be a number from 1 to 2, not "0.5".'],
  ['face-margin=wide', '`face-margin` must be a number from 1 to 2, not "wide".'],
  ['method=smudge', `\`method\` must be one of ${METHODS.join(', ')}, not "smudge".`],
  ['ignores=[{', `\`ignores\` must be ${IGNORES}, not "[{".`],
  ['ignores=[{"topLeftX":1}]', `\`ignores\` must be ${IGNORES}, not "[{"topLeftX":1}]".`],
  [`hides=[${CROSSING}]`, `\`hides[0]\` must be a polygon whose sides do not cross, not "${CROSSING}".`],
  ['format={', `\`format\` must be ${FORMAT}, not "{".`],
  [`format=${NO_TILES}`, `\`format\` must be ${FORMAT}, not "${NO_TILES}".`],
  [`format=${MANY_TILES}`, `\`format\` must be at most 256 tiles, not "${MANY_TILES}".`],
  ['reasons=b6', `\`reasons\` must be ${REASONS}, not "b6".`],
  ['face-reason=b6', '`face-reason` must be absent without `reasons`, not "b6".'],
  ['text=true&text-match=mail', `\`text-match\` must be ${TEXT_MATCH}, not "mail".`],
  [
    'text-keep=Exit',
    '`text-match` and `text-keep` need `text`: add `text=true`, so that text is anonymised at all.',
  ],
  ['face=maybe', '`face` must be true or false, not "maybe".'],
];

const rulesFor = (host: Host): void => {
  for (const [name, { bytes, detail }] of Object.entries(UNREADABLE)) {
    test(`${name} is refused with the documented sentence`, async ({ sendTo }) => {
      const answer = await postParts(sendTo[host], [filePart(await bytes())]);
      expect(complaint(answer)).toEqual({ status: 422, detail });
    });
  }

  for (const [query, detail] of BAD_QUERIES) {
    test(`${query} is refused with a sentence that names it`, async ({ sendTo }) => {
      const answer = await postParts(sendTo[host], [filePart(await upright())], encodeURI(query));
      expect(complaint(answer)).toEqual({ status: 422, detail });
    });
  }

  test('no part, two parts and a part with another name are refused', async ({ sendTo }) => {
    const bytes = await upright();
    const send = sendTo[host];
    expect(complaint(await postParts(send, []))).toEqual({
      status: 422,
      detail: 'The request contains no file: send one part named `fileobject`.',
    });
    expect(complaint(await postParts(send, [filePart(bytes), filePart(bytes)]))).toEqual({
      status: 422,
      detail: 'The request contains 2 files: send exactly one, named `fileobject`.',
    });
    expect(complaint(await postParts(send, [{ ...filePart(bytes), name: 'file' }]))).toEqual({
      status: 422,
      detail: 'The part with the file must be named `fileobject`, not "file".',
    });
  });

  for (const [name, { bytes, maxDifference = MAX_DIFFERENCE }] of Object.entries<ReadableImage>(READABLE)) {
    test(`${name} is decoded`, async ({ sendTo }) => {
      const file = await bytes();
      const result = await upload(sendTo[host], file, NOTHING_FOUND);
      const [before, after] = [await readPixels(file), await readPixels(await result.anonymised())];
      expect(after).toMatchObject({ width: before.width, height: before.height });
      expect(meanDifference(before, after, EVERYWHERE)).toBeLessThan(maxDifference);
    });
  }

  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`a JPEG with EXIF orientation ${orientation} is returned upright`, async ({ sendTo }) => {
      const file = await withOrientation(orientation);
      const result = await upload(sendTo[host], file, NOTHING_FOUND);
      const [before, after] = [await readPixels(file), await readPixels(await result.anonymised())];
      expect(after).toMatchObject({ width: before.width, height: before.height });
      expect(meanDifference(before, after, EVERYWHERE)).toBeLessThan(MAX_DIFFERENCE);
    });
  }

  test('an unknown parameter is ignored', async ({ sendTo }) => {
    await upload(
      sendTo[host],
      await upright(),
      'watermark=False&save_mask=&quality=0&ignores=[]&format=whole',
    );
  });

  test('the host still works after all refused requests', async ({ sendTo }) => {
    expect((await sendTo[host]({ method: 'GET', url: '/v1/status' })).status).toBe(200);
    await upload(sendTo[host], await upright());
  });
};

for (const host of HOSTS) test.describe(`${host}: unusual and invalid input`, () => rulesFor(host));

test.describe('images from test collections for decoders', () => {
  const folder = dataPath('odd-images');
  test.skip(!folder, 'The folder with test images for decoders is not on this machine.');

  test(
    'each image gets a result or an error sentence, the same on both hosts',
    { tag: '@slow' },
    async ({ sendTo }) => {
      test.setTimeout(600_000);
      const names = readdirSync(folder ?? '', { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      for (const { name, parentPath } of names) {
        const bytes = readFileSync(`${parentPath}/${name}`);
        const answers = await Promise.all(
          HOSTS.map(async (host) => {
            const answer = await postParts(sendTo[host], [filePart(bytes, name)], NOTHING_FOUND);
            expect(answer.status, name).not.toBe(500);
            return answer.status === 200 ? { status: 200 } : complaint(answer);
          }),
        );
        expect.soft(answers[1], name).toEqual(answers[0]);
      }
    },
  );
});
