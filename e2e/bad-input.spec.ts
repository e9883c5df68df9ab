import { readdirSync, readFileSync } from 'node:fs';
import type { Answer } from '#shared/testing/conformance';
import { filePart } from '#shared/testing/conformance-steps';
import { expect, type Host, HOSTS, test } from './support/hosts';
import { READABLE, UNREADABLE, upright, withOrientation } from './support/odd-pictures';
import { meanDifference, readPixels } from './support/pixels';
import { dataPath } from './support/samples';
import { json, postParts, upload } from './support/upload';

const EVERYWHERE = () => true;
const NO_DETECTION = 'face=true&method=blur';

const complaint = (answer: Answer): { status: number; detail: string } => ({
  status: answer.status,
  detail: json<{ detail: string }>(answer).detail,
});

/** Parameters that are refused, with the status and a sentence that names parameter, value and what is allowed. */
const BAD_QUERIES: readonly (readonly [query: string, detail: RegExp])[] = [
  ['face-threshold=1.5', /`?face-threshold`?.*1\.5.*0.*1/],
  ['person_threshold=-0.1', /person.threshold.*-0\.1/],
  ['vehicle-threshold=high', /vehicle-threshold.*high/],
  ['method=smudge', /method.*smudge.*blur.*pixelate.*blacken.*detect/],
  ['ignores=[{', /ignores/],
  ['ignores=[{"topLeftX":1}]', /ignores/],
  ['format={"number":[0,2],"overlap":[0,0]}', /format/],
  ['format={', /format/],
  ['face=maybe', /face.*maybe/],
];

const rulesFor = (host: Host): void => {
  for (const [name, { bytes, detail }] of Object.entries(UNREADABLE)) {
    test(`${name} is refused with its sentence`, async ({ sendTo }) => {
      const answer = await postParts(sendTo[host], [filePart(await bytes())]);
      expect(complaint(answer)).toEqual({ status: 422, detail });
    });
  }

  for (const [query, detail] of BAD_QUERIES) {
    test(`${query} is refused with a sentence that names it`, async ({ sendTo }) => {
      const answer = await postParts(sendTo[host], [filePart(await upright())], encodeURI(query));
      expect(complaint(answer)).toEqual({ status: 422, detail: expect.stringMatching(detail) });
    });
  }

  test('no part, two parts and a part of another name are refused', async ({ sendTo }) => {
    const bytes = await upright();
    const send = sendTo[host];
    expect(complaint(await postParts(send, []))).toMatchObject({
      status: 422,
      detail: expect.stringMatching(/no file/),
    });
    expect(complaint(await postParts(send, [filePart(bytes), filePart(bytes)]))).toMatchObject({
      status: 422,
    });
    expect(complaint(await postParts(send, [{ ...filePart(bytes), name: 'file' }]))).toMatchObject({
      status: 422,
    });
  });

  for (const [name, bytes] of Object.entries(READABLE)) {
    test(`${name} is read`, async ({ sendTo }) => {
      const file = await bytes();
      const result = await upload(sendTo[host], file, NO_DETECTION);
      const [before, after] = [await readPixels(file), await readPixels(await result.anonymised())];
      expect(after).toMatchObject({ width: before.width, height: before.height });
      expect(meanDifference(before, after, EVERYWHERE)).toBeLessThan(6);
    });
  }

  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`a JPEG of EXIF orientation ${orientation} comes back upright`, async ({ sendTo }) => {
      const file = await withOrientation(orientation);
      const result = await upload(sendTo[host], file, NO_DETECTION);
      const [before, after] = [await readPixels(file), await readPixels(await result.anonymised())];
      expect(after).toMatchObject({ width: before.width, height: before.height });
      expect(meanDifference(before, after, EVERYWHERE)).toBeLessThan(6);
    });
  }

  test('an unknown parameter is ignored', async ({ sendTo }) => {
    await upload(
      sendTo[host],
      await upright(),
      'watermark=False&save_mask=&quality=0&ignores=[]&format=whole',
    );
  });

  test('after all of that the host still works', async ({ sendTo }) => {
    expect((await sendTo[host]({ method: 'GET', url: '/v1/status' })).status).toBe(200);
    await upload(sendTo[host], await upright());
  });
};

for (const host of HOSTS) test.describe(`${host}: odd and bad input`, () => rulesFor(host));

test.describe('pictures that others found odd', () => {
  const folder = dataPath('odd-images');
  test.skip(!folder, 'The folder of odd pictures is not on this machine.');

  test('each gets a result or a sentence, the same on both hosts', async ({ sendTo }) => {
    test.setTimeout(600_000);
    const names = readdirSync(folder ?? '', { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const { name, parentPath } of names) {
      const bytes = readFileSync(`${parentPath}/${name}`);
      const answers = [];
      for (const host of HOSTS) {
        const answer = await postParts(sendTo[host], [filePart(bytes, name)], NO_DETECTION);
        expect(answer.status, name).not.toBe(500);
        answers.push(answer.status === 200 ? { status: 200 } : complaint(answer));
      }
      expect.soft(answers[1], name).toEqual(answers[0]);
    }
  });
});
