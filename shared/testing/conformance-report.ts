import { base64 } from '../report/byte-text';
import { canonicalJson, REPORT_FORMAT } from '../report/signed-report';
import type { Report } from '../api/contract/schemas-report';
import {
  jsonOf,
  must,
  mustBe,
  mustHaveFields,
  mustHaveStatus,
  mustHaveType,
  mustRefuse,
  type ConformanceCase,
  type Send,
} from './conformance';
import { putEdits } from './conformance-edits';
import { filePart, get, UNKNOWN_ID, uploadedId } from './conformance-steps';
import { RAMP_JPEG } from './ramp-images';
import { RAMP_MP4, RAMP_VIDEO } from './video-files';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const digestOf = async (bytes: Uint8Array): Promise<Report['source']> => ({
  sha256: hex(await crypto.subtle.digest('SHA-256', bytes.slice())),
  size: bytes.byteLength,
});

const reportOf = async (send: Send, id: string, query = ''): Promise<Report> =>
  jsonOf<Report>(await get(send, `/v1/file/${id}/report${query}`));

const mustNameDownload = async (send: Send, id: string, path: string, query = ''): Promise<Report> => {
  const report = await reportOf(send, id, query);
  const { body } = await get(send, `/v1/file/${id}/${path}${query}`);
  const { sha256 = null, size = null } = report.result ?? {};
  mustBe({ sha256, size }, await digestOf(body), 'the digest of the download');
  return report;
};

const FIELDS = [
  ...['format', 'id', 'filename', 'content_type', 'created_at', 'started_at', 'finished_at', 'version'],
  ...['models', 'parameters', 'source', 'result', 'counts', 'frames', 'edits', 'metadata', 'tracks'],
  ...['audio', 'redactions', 'warnings', 'signature'],
];

const video = { parts: [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')] };

export const REPORT_CASES: readonly ConformanceCase[] = [
  {
    rule: 'the report of an image names its upload, its result, the models and the version',
    run: async (send) => {
      const id = await uploadedId(send);
      const report = await mustNameDownload(send, id, 'anonymised');
      mustHaveFields(report, FIELDS);
      mustBe([report.format, report.id, report.filename], [REPORT_FORMAT, id, 'ramps.jpg'], 'the names');
      mustBe(report.source, await digestOf(RAMP_JPEG), 'the digest of the upload');
      mustBe(report.result?.variant, null, 'the variant');
      must(/^\d+\.\d+\.\d+/.test(report.version ?? ''), 'a version', report.version);
      must(
        (report.models ?? []).every((model) => /^[\da-f]{64}$/.test(model.sha256)),
        'hashes',
        report.models,
      );
      must((report.models ?? []).length > 0, 'models', report.models);
      mustBe([report.audio, report.tracks], [null, null], 'the audio and the tracks');
    },
  },
  {
    rule: 'the text of a report is canonical JSON, and equal for equal requests',
    run: async (send) => {
      const id = await uploadedId(send);
      const [one, other] = [
        await get(send, `/v1/file/${id}/report`),
        await get(send, `/v1/file/${id}/report`),
      ];
      mustBe(text(one.body), canonicalJson(jsonOf(one)), 'the text');
      mustBe(text(one.body), text(other.body), 'the second text');
      mustBe(
        one.headers['content-disposition'],
        'inline; filename="ramps-report.json"',
        'the name for saving',
      );
    },
  },
  {
    rule: 'the report of a download with another format or quality names this variant',
    run: async (send) => {
      const id = await uploadedId(send);
      for (const [query, variant] of [
        ['?download=PNG&compress-level=9', { download: 'PNG', 'compress-level': 9 }],
        ['?quality=50', { download: 'JPEG', quality: 50 }],
      ] as const) {
        const { result } = await mustNameDownload(send, id, 'anonymised', query);
        mustBe(canonicalJson(result?.variant), canonicalJson(variant), 'the variant');
      }
      const { result } = await mustNameDownload(send, id, 'anonymised', '?download=JPEG&quality=90');
      mustBe(result?.variant, null, 'the variant of the stored result');
    },
  },
  {
    rule: 'the report of an image counts what its metadata lists',
    run: async (send) => {
      const id = await uploadedId(send);
      const { counts, frames } = await reportOf(send, id);
      const { detections } = jsonOf<{ detections: { type_label: string }[] }>(
        await get(send, `/v1/file/${id}/metadata`),
      );
      for (const [name, { detected }] of Object.entries(counts)) {
        mustBe(detected, detections.filter((one) => one.type_label === name).length, `the number of ${name}`);
      }
      mustBe([frames.count, frames.counts.length], [1, 1], 'the frames');
      mustBe(frames.without_detections.length, detections.length === 0 ? 1 : 0, 'the frames without any');
    },
  },
  {
    rule: 'the report of method=detect names no result, and warns',
    run: async (send) => {
      const { result, warnings, parameters } = await reportOf(
        send,
        await uploadedId(send, { query: 'method=detect' }),
      );
      mustBe(result, null, 'the result');
      mustBe(parameters['method'], 'detect', 'the method');
      must(
        warnings.some((one) => one.includes('Nothing was anonymised')),
        'a warning',
        warnings,
      );
    },
  },
  {
    rule: 'the parameters of a report are a query for an upload with the same options',
    run: async (send) => {
      const ignores = JSON.stringify([{ topLeftX: 1, topLeftY: 2, width: 3, height: 4 }]);
      const hides = JSON.stringify([
        {
          points: [
            [1, 1],
            [9, 1],
            [1, 9],
          ],
          end: 2,
          method: 'blur',
        },
      ]);
      const areas = `ignores=${encodeURIComponent(ignores)}&hides=${encodeURIComponent(hides)}`;
      const query = `method=pixelate&face=true&face-threshold=0.7&${areas}`;
      const { parameters } = await reportOf(send, await uploadedId(send, { query }));
      const repeated = new URLSearchParams(
        Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const again = await reportOf(send, await uploadedId(send, { query: repeated.toString() }));
      mustBe(again.parameters, parameters, 'the parameters');
      mustBe([parameters['method'], parameters['face-threshold']], ['pixelate', 0.7], 'the options');
      mustBe(parameters['hides'], hides, 'the areas');
    },
  },
  {
    rule: 'the report of a result with edits names them with their times, and the new result',
    run: async (send) => {
      const id = await uploadedId(send);
      const edits = { method: 'blacken', objects: [], areas: [] };
      const before = await reportOf(send, id);
      mustBe([before.edits.count, before.edits.applied], [0, []], 'the edits before');
      mustHaveStatus(await putEdits(send, id, edits), 200);
      const { edits: applied } = await mustNameDownload(send, id, 'anonymised');
      mustBe([applied.count, applied.applied.length], [1, 1], 'the number of edits');
      must(/^\d{4}-\d\d-\d\dT/.test(applied.applied[0]?.at ?? ''), 'a time', applied);
      mustBe((applied.in_force as { method?: string }).method, 'blacken', 'the method in force');
    },
  },
  {
    rule: 'the report names the reviewer of each set of edits, and how many objects and areas it names',
    run: async (send) => {
      const id = await uploadedId(send);
      const [area, reviewer] = [{ type_label: 'face', shape: 'box', bbox: [1, 1, 9, 9] }, 'Zoë <Müller>'];
      mustHaveStatus(await putEdits(send, id, { reviewer, areas: [area] }), 200);
      mustHaveStatus(await putEdits(send, id, { areas: [] }), 200);
      const { edits } = await reportOf(send, id);
      const named = edits.applied.map((one) => [one.reviewer ?? null, one.decided ?? null]);
      const expected = [
        [reviewer, 1],
        [null, null],
      ];
      mustBe(named, expected, 'reviewers and numbers');
      mustHaveStatus(await putEdits(send, id, { reviewer, areas: [area] }), 200);
      const { in_force: inForce } = (await reportOf(send, id)).edits;
      mustBe((inForce as { reviewer?: string }).reviewer, reviewer, 'the reviewer in force');
      const html = text((await get(send, `/v1/file/${id}/report.html`)).body);
      must(html.includes('reviewer: Zoë &lt;Müller&gt;; number of objects decided: 1'), 'the name', html);
    },
  },
  {
    rule: 'the report of a video names its upload, its result, its frames and its audio',
    run: async (send) => {
      const id = await uploadedId(send, video);
      const report = await mustNameDownload(send, id, 'video/anonymised');
      mustHaveFields(report, FIELDS);
      mustBe(report.source, await digestOf(RAMP_MP4), 'the digest of the upload');
      mustBe(report.frames.count, RAMP_VIDEO.frames, 'the number of frames');
      mustBe(report.audio?.is_muted, false, 'whether it is muted');
      mustBe(report.metadata, { kept: [], removed: [] }, 'the metadata');
      const removed = { audio: 0, data: 0, subtitles: 0, video: 0 };
      mustBe(report.tracks, { in_result: { audio: 0, video: 1 }, removed }, 'the tracks');
      const runs = report.frames.counts;
      mustBe([runs[0]?.first, runs.at(-1)?.last], [0, RAMP_VIDEO.frames - 1], 'the first and last frame');
      must(
        runs.every(({ first }, index) => index === 0 || runs[index - 1]?.last === first - 1),
        'each frame in one run',
        runs,
      );
    },
  },
  {
    rule: 'the report of an edited video names the parts of its audio that are muted',
    run: async (send) => {
      const id = await uploadedId(send, video);
      mustBe((await reportOf(send, id)).audio?.muted_ranges, [], 'the ranges before');
      mustHaveStatus(await putEdits(send, id, { mute: [[0.1, 0.2]] }), 200);
      const report = await mustNameDownload(send, id, 'video/anonymised');
      mustBe(report.audio?.muted_ranges, [[0.1, 0.2]], 'the ranges after');
    },
  },
  {
    rule: 'the report of an edited video states whether its edits remove the audio',
    run: async (send) => {
      const id = await uploadedId(send, video);
      mustHaveStatus(await putEdits(send, id, { audio: 'mute' }), 200);
      const report = await mustNameDownload(send, id, 'video/anonymised');
      mustBe(report.audio?.is_muted, true, 'whether it is muted');
      mustHaveStatus(await putEdits(send, id, {}), 200);
      mustBe((await reportOf(send, id)).audio?.is_muted, false, 'whether it is muted, without edits');
    },
  },
  {
    rule: 'the page of a report contains the redacted image and no other, loads nothing, and escapes the file name',
    run: async (send) => {
      const id = await uploadedId(send, { parts: [filePart(undefined, 'a<b>&.jpg')] });
      const page = await get(send, `/v1/file/${id}/report.html`);
      mustHaveStatus(page, 200);
      mustHaveType(page, 'text/html');
      const html = text(page.body);
      const { result, filename } = await reportOf(send, id);
      must(html.includes(result?.sha256 ?? 'none'), 'the SHA-256 of the result', html.slice(0, 200));
      const { body } = await get(send, `/v1/file/${id}/anonymised`);
      must(
        html.includes(`<image href="data:image/jpeg;base64,${base64(body)}"`),
        'the result',
        html.slice(0, 200),
      );
      mustBe(html.split(';base64,').length - 1, 1, 'the number of images');
      must(!html.includes(filename) || !/[<>&]/.test(filename), 'an escaped name', filename);
      must(!/<script|https?:/.test(html), 'a page that loads nothing', html.slice(0, 200));
      const policy = page.headers['content-security-policy'] ?? '';
      must(policy.startsWith("default-src 'none'"), 'a strict policy', policy);
    },
  },
  {
    rule: 'the page of a report of a video is a page without an image',
    run: async (send) => {
      const page = await get(send, `/v1/file/${await uploadedId(send, video)}/report.html`);
      mustHaveStatus(page, 200);
      must(!text(page.body).includes('<image'), 'no image', 'an image');
    },
  },
  {
    rule: 'a report of an unknown task is 404, and of a task whose files were deleted 422',
    run: async (send) => {
      mustRefuse(await get(send, `/v1/file/${UNKNOWN_ID}/report`), 404);
      const id = await uploadedId(send);
      await send({ method: 'DELETE', url: `/v1/task/${id}?delete-scope=only-files` });
      mustRefuse(await get(send, `/v1/file/${id}/report`), 422, 'deleted');
    },
  },
  {
    rule: 'a report with quality=0 is refused',
    run: async (send) => {
      mustRefuse(await get(send, `/v1/file/${await uploadedId(send)}/report?quality=0`), 422, 'quality');
    },
  },
];
