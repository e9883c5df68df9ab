import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '#shared/api/contract/schemas-report';
import type { VideoMetadata } from '#shared/api/contract/schemas-results';
import type { VideoFrame } from '#shared/ports/video';
import { jsonOf, type Send } from '#shared/testing/conformance';
import { filePart, get } from '#shared/testing/conformance-steps';
import { findFfmpeg } from '../server/adapters/find-ffmpeg';
import { heardIn } from '../server/testing/bursts';
import { framesOf } from '../server/testing/clips';
import { numberIn, PHONE_CLIPS, REFUSED_CLIPS, type PhoneClip } from '../server/testing/phone-clips';
import { expect, type Host } from './support/hosts';
import { test } from './support/own-server';
import { runProduct } from './support/run-product';
import { json, postParts } from './support/upload';

/** The greatest shift of sound against pictures, in seconds. */
const MAX_SHIFT = 0.02;
/** The next picture has a number that is higher by 1: at low bit rates, encoders skip that for a picture or two. */
const [MAX_NUMBER_ERROR, MAX_MEAN_NUMBER_ERROR] = [1.5, 0.5];
/** The greatest error of a picture's time: containers count in different steps. */
const MAX_TIME_ERROR = 0.002;

const hasFfmpeg = (await findFfmpeg(undefined, process.env)) !== undefined;
const nameOf = (clip: string): string => `${clip.replaceAll(/\W+/g, '-')}.mov`;

/** One line of the table. */
type Row = readonly string[];
const rows: Row[] = [];
const TITLE: Row = ['File', 'Host', 'Result', 'Pictures', 'Size', 'Tone at', 'Removed', 'Hidden'];

test.afterAll(() => {
  const line = (row: Row): string => `| ${row.join(' | ')} |`;
  if (rows.length > 0) console.log([line(TITLE), line(TITLE.map(() => '---')), ...rows.map(line)].join('\n'));
});

const largest = (errors: readonly number[]): number => Math.max(0, ...errors.map(Math.abs));

const checkPictures = (
  { pictures, size, turn }: PhoneClip,
  frames: readonly VideoFrame[],
  what: string,
): void => {
  const numbers = frames.map(({ raster }) => numberIn(raster, turn) ?? NaN);
  const shown = `${what}: ${numbers.join(' ')}`;
  expect.soft(numbers, shown).toHaveLength(pictures.length);
  const errors = numbers.map((number, i) => number - (pictures[i]?.[0] ?? NaN));
  expect.soft(largest(errors), shown).toBeLessThan(MAX_NUMBER_ERROR);
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  expect.soft(Math.abs(mean), shown).toBeLessThan(MAX_MEAN_NUMBER_ERROR);
  const delays = frames.map(({ timestampUs }, i) => timestampUs / 1e6 - (pictures[i]?.[1] ?? NaN));
  expect.soft(largest(delays), `${what}: times`).toBeLessThan(MAX_TIME_ERROR);
  const { width, height } = frames[0]?.raster ?? {};
  expect.soft([width, height], `${what}: size`).toEqual([size.width, size.height]);
};

/** Pictures, their times, and sound are those of the source. */
const checkResult = async (clip: PhoneClip, result: Uint8Array, what: string): Promise<Row> => {
  const frames = await framesOf(result);
  checkPictures(clip, frames, what);
  const tones = (await heardIn(result)).map(({ burst: [from] }) => from);
  expect.soft(tones, `${what}: audio tracks`).toHaveLength(clip.tones.length);
  const delays = tones.map((from, i) => from - (clip.tones[i] ?? NaN));
  expect.soft(largest(delays), `${what}: sound`).toBeLessThan(MAX_SHIFT);
  const { width, height } = frames[0]?.raster ?? {};
  return [
    `${clip.pictures.length} → ${frames.length}`,
    `${width} × ${height}`,
    tones.map((from) => from.toFixed(3)).join(', '),
  ];
};

const checkClip = async (name: string, clip: PhoneClip, host: Host, send: Send): Promise<void> => {
  const what = `${name}, ${host}`;
  const parts = [filePart(await clip.bytes(), nameOf(name), 'video/quicktime')];
  const answer = await postParts(send, parts);
  expect(answer.status, `${what}: ${new TextDecoder().decode(answer.body)}`).toBe(200);
  const { id } = jsonOf<{ id: string }>(answer);
  const report = jsonOf<Report>(await get(send, `/v1/file/${id}/report`));
  const removed = report.metadata?.removed ?? [];
  const dropped = report.audio?.dropped_codecs ?? [];
  expect.soft(removed, what).toEqual(clip.removed);
  expect.soft(dropped, what).toEqual(clip.droppedCodecs);
  const frames = jsonOf<VideoMetadata>(await get(send, `/v1/file/${id}/video/metadata`));
  const hidden = frames.map(({ detections }) => detections.filter((each) => each.is_anonymised).length);
  expect.soft(Math.min(...hidden), `${what}: hidden objects`).toBeGreaterThan(0);
  const result = (await get(send, `/v1/file/${id}/video/anonymised`)).body;
  const facts = await checkResult(clip, result, what);
  rows.push([name, host, 'done', ...facts, [...removed, ...dropped].join(', '), String(hidden[0])]);
};

const checkRefusal = async (name: string, host: Host, send: Send): Promise<void> => {
  const [bytes, sentence] = REFUSED_CLIPS[name]!;
  const answer = await postParts(send, [filePart(await bytes(), nameOf(name), 'video/quicktime')]);
  const { detail } = json<{ detail: string }>(answer);
  expect.soft([answer.status, detail], `${name}, ${host}`).toEqual([422, expect.stringMatching(sentence)]);
  rows.push([name, host, detail]);
};

/** Without ffmpeg, a server refuses what it has to convert. */
const clipsOf = (host: Host) =>
  Object.entries(PHONE_CLIPS).filter(([, { needsFfmpeg, isOnlyForServers }]) =>
    host === 'page' ? !isOnlyForServers : hasFfmpeg || !needsFfmpeg,
  );

for (const host of ['server', 'page'] as const) {
  // Tests of `server/adapters` convert such files, too, and keep or remove their fields.
  const tag = host === 'server' ? '@slow' : [];
  test(
    `videos as phones write them keep their pictures, times and sound: ${host}`,
    { tag },
    async ({ sendTo }) => {
      for (const [name, clip] of clipsOf(host)) await checkClip(name, clip, host, sendTo[host]);
      for (const name of Object.keys(REFUSED_CLIPS)) await checkRefusal(name, host, sendTo[host]);
    },
  );
}

// It runs the same engine as the server.
test(
  'videos as phones write them keep their pictures, times and sound: command line',
  { tag: '@slow' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'veil-phone-'));
    const [input, output] = [join(folder, 'in'), join(folder, 'out')];
    mkdirSync(input);
    const clips = clipsOf('server');
    for (const [name, clip] of clips) writeFileSync(join(input, nameOf(name)), await clip.bytes());
    for (const [name, [bytes]] of Object.entries(REFUSED_CLIPS)) {
      writeFileSync(join(input, nameOf(name)), await bytes());
    }
    const { ended, printed } = runProduct(folder, [input, '-o', output]);
    await ended;
    for (const [name, clip] of clips) {
      const result = readFileSync(join(output, `${nameOf(name)}.mp4`));
      rows.push([name, 'command line', 'done', ...(await checkResult(clip, result, name))]);
    }
    for (const [name, [, sentence]] of Object.entries(REFUSED_CLIPS)) {
      expect.soft(printed(), name).toMatch(sentence);
    }
    rmSync(folder, { recursive: true, force: true });
  },
);
