import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ReportSigner } from '../../../ports/system';
import { toHex } from '../../../report/byte-text';
import { verifyReport, type IsSignedBy } from '../../../report/verify-report';
import { jsonOf, mustHaveStatus } from '../../../testing/conformance';
import { putEdits } from '../../../testing/conformance-edits';
import { filePart, get, upload, uploadedId } from '../../../testing/conformance-steps';
import { createFakeEngine } from '../../../testing/fake-engine';
import { createFakeVideoEngine, type FakeVideo } from '../../../testing/fake-video-engine';
import { createInProcessHost } from '../../../testing/in-process-host';
import { createMemoryStorage, type MemoryStorage } from '../../../testing/memory-storage';
import { xmpPacket } from '../../../testing/xmp-packets';
import { INSERT } from '../../../engine/formats/insert-metadata';
import { RAMP_JPEG } from '../../../testing/ramp-images';
import { RAMP_MP4 } from '../../../testing/video-files';
import { Value } from 'typebox/value';
import { Report } from '../../contract/schemas-report';

const SPKI = '302a300506032b6570032100';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const rawKey = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI.length / 2));
const reportSigner: ReportSigner = {
  sign: async (bytes) => ({ publicKey: rawKey, value: sign(null, bytes, privateKey) }),
};
const isSignedBy: IsSignedBy = (key, value, bytes) => {
  const der = Buffer.from(SPKI + toHex(key), 'hex');
  return verify(null, bytes, createPublicKey({ key: der, format: 'der', type: 'spki' }), value);
};
const digestOf = (bytes: Uint8Array) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.byteLength,
});

/** The bytes with one changed bit, whose place in its byte depends on that of the byte. */
const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at % 8)));

/** About 100 places in the bytes, the first and the last one among them. */
const sample = ({ length }: Uint8Array): number[] => {
  const step = Math.ceil(length / 100);
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => length - 1 - index * step).concat(0);
};

const video = { parts: [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')] };

const createHost = (storage: MemoryStorage = createMemoryStorage(), made: Partial<FakeVideo> = {}) =>
  createInProcessHost(
    {},
    {
      reportSigner,
      storage,
      engine: createFakeVideoEngine({ frameCount: 1200, ...made }, createFakeEngine()),
    },
  );

const reportOf = async (
  { send }: Pick<ReturnType<typeof createHost>, 'send'>,
  id: string,
): Promise<Report> => {
  const report = jsonOf<Report>(await get(send, `/v1/file/${id}/report`));
  expect(Value.Check(Report, report)).toBe(true);
  return report;
};

describe('a signed report', () => {
  it.each([
    ['an image', { parts: [filePart()] }, 'anonymised'],
    ['a video', video, 'video/anonymised'],
  ])('of %s matches its download, and no other bytes', async (_, options, path) => {
    const { send } = createHost();
    const id = await uploadedId(send, options);
    const written = (await get(send, `/v1/file/${id}/report`)).body;
    const { body } = await get(send, `/v1/file/${id}/${path}`);
    for (const key of [rawKey, undefined]) {
      const isFine = (report: Uint8Array, bytes: Uint8Array): boolean =>
        verifyReport(report, digestOf(bytes), key, isSignedBy).isFine;
      expect(isFine(written, body)).toBe(true);
      expect(sample(written).filter((at) => isFine(flipped(written, at), body))).toEqual([]);
      expect(sample(body).filter((at) => isFine(written, flipped(body, at)))).toEqual([]);
    }
  });
});

it('a report of a video counts the frames of all stored parts', async () => {
  const host = createHost();
  const { counts, frames } = await reportOf(host, await uploadedId(host.send, video));
  expect(counts.face).toEqual({ detected: 1200, anonymised: 1200 });
  expect(frames.counts).toEqual([{ first: 0, last: 1199, detected: { face: 1 }, anonymised: { face: 1 } }]);
});

it('a report names the codec of each audio track that is missing, unless nobody wanted them', async () => {
  const host = createHost(createMemoryStorage(), { droppedAudioCodecs: ['ac3', 'A_<b>'] });
  const id = await uploadedId(host.send, video);
  expect((await reportOf(host, id)).audio).toMatchObject({
    dropped_tracks: 2,
    dropped_codecs: ['ac3', 'A_<b>'],
  });
  const page = new TextDecoder().decode((await get(host.send, `/v1/file/${id}/report.html`)).body);
  expect(page).toContain('tracks missing: 2 (ac3, A_&lt;b&gt;)');
  expect((await putEdits(host.send, id, { audio: 'mute' })).status).toBe(200);
  expect((await reportOf(host, id)).audio).not.toHaveProperty('dropped_codecs');
});

it('a report of a video without missing audio names no codec', async () => {
  const host = createHost();
  const { audio } = await reportOf(host, await uploadedId(host.send, video));
  expect(audio).toMatchObject({ dropped_tracks: 0 });
  expect(audio).not.toHaveProperty('dropped_codecs');
});

it('the record and the report of a video state that it was in high dynamic range, and nothing otherwise', async () => {
  const stated = async (made: Partial<FakeVideo>) => {
    const host = createHost(createMemoryStorage(), made);
    const id = await uploadedId(host.send, video);
    const record = jsonOf<object>(await get(host.send, `/v1/task/${id}`));
    const page = new TextDecoder().decode((await get(host.send, `/v1/file/${id}/report.html`)).body);
    return { record, report: await reportOf(host, id), page };
  };
  const mapped = await stated({ toneMapped: 'hlg' });
  expect(mapped.record).toMatchObject({ tone_mapped: 'hlg' });
  expect(mapped.report).toMatchObject({ tone_mapped: 'hlg' });
  expect(mapped.page).toContain('from HLG');
  const usual = await stated({});
  for (const one of [usual.record, usual.report]) expect(one).not.toHaveProperty('tone_mapped');
  expect(usual.page).not.toContain('dynamic range');
});

describe('the record and the report state what a source says of its projection', () => {
  const PART = xmpPacket(
    'GPano:ProjectionType="equirectangular" GPano:FullPanoWidthPixels="8000" GPano:CroppedAreaImageWidthPixels="64"',
  );

  it('and that a part of a panorama was searched as an ordinary image', async () => {
    const host = createHost();
    const photo = INSERT.jpeg(RAMP_JPEG, { exif: undefined, xmp: new TextEncoder().encode(PART) });
    const id = await uploadedId(host.send, { parts: [filePart(photo)] });
    expect(jsonOf<object>(await get(host.send, `/v1/task/${id}`))).toMatchObject({ projection: 'part' });
    const { projection, warnings } = await reportOf(host, id);
    expect({ projection, warnings }).toEqual({
      projection: 'part',
      warnings: [expect.stringContaining('a part of a panorama')],
    });
  });

  it('and that a panorama video was not searched as one', async () => {
    const host = createHost(createMemoryStorage(), { projection: 'sphere' });
    const id = await uploadedId(host.send, video);
    expect(jsonOf<object>(await get(host.send, `/v1/task/${id}`))).toMatchObject({ projection: 'sphere' });
    expect((await reportOf(host, id)).warnings).toContainEqual(
      expect.stringContaining('may have been missed'),
    );
    const searched = await uploadedId(host.send, { ...video, query: 'format=auto' });
    expect((await reportOf(host, searched)).warnings).toEqual([]);
  });

  it('and nothing of a source that says nothing', async () => {
    const host = createHost();
    const id = await uploadedId(host.send);
    expect(jsonOf<object>(await get(host.send, `/v1/task/${id}`))).not.toHaveProperty('projection');
    expect(await reportOf(host, id)).not.toHaveProperty('projection');
  });
});

it('a report of a video lists the kinds that are in the result as kept, and all others as removed', async () => {
  const host = createHost(createMemoryStorage(), {
    sourceMetadata: ['place', 'telemetry', 'capture-time', 'text', 'time'],
    kept: { kinds: ['place', 'capture-time'], positions: 36 },
  });
  const id = await uploadedId(host.send, video);
  const { metadata, tracks, warnings } = await reportOf(host, id);
  expect(metadata).toEqual({ removed: ['place', 'telemetry', 'capture-time', 'text', 'time'], kept: [] });
  expect(tracks?.in_result).toEqual({ video: 1, audio: 0 });
  expect(warnings).toEqual([]);
  const readPage = async (): Promise<string> =>
    new TextDecoder().decode((await get(host.send, `/v1/file/${id}/report.html`)).body);
  expect(await readPage()).toContain('none in the result');

  expect((await putEdits(host.send, id, { keep_metadata: true })).status).toBe(200);
  const kept = await reportOf(host, id);
  expect(kept.metadata).toEqual({ removed: ['telemetry', 'text', 'time'], kept: ['place', 'capture-time'] });
  expect(kept.tracks?.in_result).toEqual({ video: 1, audio: 0, data: 1 });
  expect(kept.warnings).toEqual(['Date or positions of the source are kept in the result.']);
  expect(await readPage()).toContain('place, capture-time');

  expect((await putEdits(host.send, id, {})).status).toBe(200);
  expect((await reportOf(host, id)).metadata?.kept).toEqual([]);
});

it('a report names nothing of other tasks', async () => {
  const host = createHost();
  await uploadedId(host.send, { parts: [filePart(RAMP_JPEG, 'secret-name.jpg')] });
  const id = await uploadedId(host.send);
  expect(JSON.stringify(await reportOf(host, id))).not.toContain('secret-name');
});

it('a task that fails has no report, and the answer states the reason', async () => {
  const { send } = createHost();
  mustHaveStatus(await upload(send, { parts: [filePart(RAMP_JPEG.slice(0, 190))] }), 422);
  const [task] = jsonOf<{ id: string }[]>(await get(send, '/v1/task/list'));
  if (task) mustHaveStatus(await get(send, `/v1/file/${task.id}/report`), 422);
});
