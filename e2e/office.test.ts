import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonOf, mustHaveStatus, type Send } from '#shared/testing/conformance';
import { putEdits } from '#shared/testing/conformance-edits';
import { get } from '#shared/testing/conformance-steps';
import { type BuiltProgram, buildProgram, type Ended } from '../server/testing/built-program';
import { type RunningServer, startServerIn } from '../server/testing/running-server';
import {
  changesOf,
  CLIP_NAME,
  EDITS,
  EXPECTED_ROWS,
  FILES,
  FOUND,
  receptionClip,
  receptionOf,
  redactReception,
  rowsOf,
  SCREEN,
} from './support/reception-desk';
import { sendByHttp } from './support/send';
import { writeTinySet } from './support/tiny-set';

const FOLDER = mkdtempSync(join(tmpdir(), 'veil-office-'));
const CLERK = 'clerk-0123456789abcdef';
const REVIEWER = 'reviewer-0123456789abcdef';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

let program: BuiltProgram;
let start: () => Promise<RunningServer>;
let server: RunningServer;

const at = (name: string): string => join(FOLDER, name);
const write = (name: string, content: string | Uint8Array): string => {
  writeFileSync(at(name), content);
  return at(name);
};

beforeAll(async () => {
  writeTinySet(at('models'));
  program = await buildProgram(at('models'));
  const key = write('key.pem', privateKey.export({ format: 'pem', type: 'pkcs8' }));
  write('public.pem', publicKey.export({ format: 'pem', type: 'spki' }));
  const tokens = `upload,read ${CLERK}; read,edit ${REVIEWER}`;
  start = () =>
    startServerIn(at('server'), program, '--release-gate', '--tokens', tokens, '--report-key', key);
  server = await start();
});
afterAll(async () => {
  server.child.kill('SIGKILL');
  await server.ended;
  program.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

const as =
  (token: string): Send =>
  (request) =>
    sendByHttp(server.origin)({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
    });

const verify = (log: string): Promise<Ended> =>
  program.start('verify', at('report.json'), at('result.mp4'), '--log', log, '--key', at('public.pem')).ended;

/** An MP4 file without its times of creation and change: two fields of 4 bytes behind version and flags. */
const withoutTimes = (video: Uint8Array): Buffer => {
  const copy = Buffer.from(video);
  for (const box of ['mvhd', 'tkhd', 'mdhd']) {
    for (let place = copy.indexOf(box); place >= 0; place = copy.indexOf(box, place + 1)) {
      copy.fill(0, place + 8, place + 16);
    }
  }
  return copy;
};

interface Coco {
  readonly images: readonly unknown[];
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly annotations: readonly {
    readonly category_id: number;
    readonly track_id?: number;
    readonly attributes: { readonly hidden: boolean };
  }[];
}

// The page's half: `office.spec.ts`.
it('a clip of a reception desk is redacted, released by a second person, verified, exported and rendered again', async () => {
  const [clerk, reviewer] = [as(CLERK), as(REVIEWER)];
  const id = await redactReception(clerk, reviewer);
  for (const file of FILES) expect((await get(clerk, `/v1/file/${id}/${file}`)).status, file).toBe(422);
  const release = { method: 'POST', url: `/v1/file/${id}/release?reviewer=Zo%C3%AB` } as const;
  expect((await clerk(release)).status).toBe(403);
  const { etag = '' } = (await get(reviewer, `/v1/task/${id}/edits`)).headers;
  expect((await reviewer({ ...release, headers: { 'if-match': '"another"' } })).status).toBe(412);
  expect((await reviewer({ ...release, headers: { 'if-match': etag } })).status).toBe(200);

  const reception = await receptionOf(clerk, id);
  expect(rowsOf(reception)).toEqual(EXPECTED_ROWS);
  expect(reception.log.case).toEqual(EDITS.case);
  for (const printed of ['2026/17', 'Personal privacy', '5 U.S.C. § 552(b)(6)', 'bleep']) {
    expect(reception.page).toContain(printed);
  }
  const { screen, visitor, clerk: shown } = await changesOf(reception.video);
  expect(screen).toBeGreaterThan(50);
  expect(visitor).toBeGreaterThan(5);
  expect(shown).toBeLessThan(4);

  write('report.json', reception.report);
  write('result.mp4', reception.video);
  expect(await verify(write('log.csv', reception.csv))).toMatchObject({ code: 0 });
  const changed = write('changed.csv', reception.csv.with(reception.csv.length - 5, 48));
  expect(await verify(changed)).toMatchObject({ code: 1 });

  const clip = write(CLIP_NAME, await receptionClip());
  const run = async (output: string, from: string): Promise<Buffer> => {
    const edits = write('edits.json', JSON.stringify(EDITS));
    const flags = ['-a', 'person', '--hides', JSON.stringify([SCREEN]), '--edits', edits, '--export', 'coco'];
    expect(await program.start(clip, '-o', at(output), '--from', from, ...flags).ended).toMatchObject({
      code: 0,
    });
    return withoutTimes(readFileSync(join(at(output), CLIP_NAME)));
  };
  const first = await run('first', write('found.jsonl', FOUND));
  expect(first.equals(withoutTimes(reception.video))).toBe(true);

  const exported = readdirSync(at('first')).find((name) => name.endsWith('coco.json'))!;
  const { images, categories, annotations } = JSON.parse(
    readFileSync(join(at('first'), exported), 'utf8'),
  ) as Coco;
  const nameOf = new Map(categories.map((one) => [one.id, one.name]));
  const hidden = annotations.filter(({ attributes }) => attributes.hidden);
  expect(images).toHaveLength(8);
  expect(new Set(hidden.map((one) => `${nameOf.get(one.category_id)} ${one.track_id}`))).toEqual(
    new Set(['person 1', 'area undefined']),
  );
  expect((await run('again', join(at('first'), exported))).equals(first)).toBe(true);
});

it('areas, reasons, the case and the release are there after a kill of the server, and an edit revokes that', async () => {
  const [clerk, reviewer] = [as(CLERK), as(REVIEWER)];
  const id = await redactReception(clerk, reviewer);
  expect((await reviewer({ method: 'POST', url: `/v1/file/${id}/release` })).status).toBe(200);
  const before = await receptionOf(clerk, id);
  const edits = async (): Promise<unknown> => jsonOf(await get(reviewer, `/v1/task/${id}/edits`));
  const made = await edits();
  server.child.kill('SIGKILL');
  await server.ended;
  server = await start();
  expect(await receptionOf(clerk, id)).toEqual(before);
  expect(await edits()).toEqual(made);
  mustHaveStatus(await putEdits(reviewer, id, EDITS), 200);
  for (const file of FILES) expect((await get(clerk, `/v1/file/${id}/${file}`)).status, file).toBe(422);
});
